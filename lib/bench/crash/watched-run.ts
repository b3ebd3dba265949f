import type { RunEvent, RunEventOf } from "@/lib/core/run/events/events";
import { addUsage, noUsage } from "@/lib/core/run/events/usage";
import { Journal } from "@/lib/core/run/journal/journal";
import type { Db } from "@/lib/server/db";
import { findPayload } from "@/lib/server/runs/store/payload-rows";
import { readEvents, readOutput } from "@/lib/server/runs/store/run-rows";
import type { OutsideServer } from "./outside-server";

/** A call whose end was in the database, and how often it had been requested by then. */
interface FinishedCall {
  path: string;
  key: string;
  begun: number;
}

const listStarted = (events: readonly RunEvent[]) => events.filter((event) => event.type === "node.started");

/** A run, as a reader of the database saw it between the kills. */
export class WatchedRun {
  #events: RunEvent[] = [];
  readonly #finishedCalls = new Map<number, FinishedCall>();

  constructor(
    readonly id: string,
    readonly shape: string,
    /** Its output, as the same flow has it that is never interrupted. */
    private readonly expectedOutput: string,
    private readonly db: Db,
    private readonly server: OutsideServer,
  ) {}

  get hasEnded(): boolean {
    return this.#events.at(-1)?.type === "run.finished";
  }

  get events(): readonly RunEvent[] {
    return this.#events;
  }

  /** How often it was resumed although no step ended in between. */
  get resumesWithoutProgress(): number {
    const journal = new Journal();
    for (const event of this.#events) journal.add(event);
    return journal.resumesWithoutProgress;
  }

  /** The paths of the calls that have ended. */
  get finishedCallPaths(): string[] {
    return [...this.#finishedCalls.values()].map(({ path }) => path);
  }

  /** Reads what was stored since the last time. */
  async observe(): Promise<void> {
    const events = await readEvents(this.db, this.id, this.#events.length);
    this.#events.push(...events);
    for (const event of events) if (event.type === "node.finished") await this.#addFinishedCall(event);
  }

  async #addFinishedCall({ id, status }: RunEventOf<"node.finished">): Promise<void> {
    const start = listStarted(this.#events).find((event) => event.id === id);
    if (!start || status !== "SUCCESS") return;
    const key = start.kind === "llm_call" ? await this.#findRequest(id) : this.#toEffectKey(start);
    if (key !== null) this.#finishedCalls.set(id, { path: start.path, key, begun: this.#countBegun(key) });
  }

  async #findRequest(id: number): Promise<string | null> {
    const sent = this.#events.findLast((event) => event.type === "request.sent" && event.id === id);
    return (await findPayload(this.db, this.id, id, "request")) ?? (sent && "body" in sent ? sent.body.text : null);
  }

  #toEffectKey({ kind, name, path, input }: RunEventOf<"node.started">): string | null {
    if (kind !== "tool_call") return null;
    if (name === "record_note") return `${this.id}:${path}`;
    return name === "http_request" ? (/\/effects\/(\w+)/.exec(input.text)?.[1] ?? null) : null;
  }

  #countBegun(key: string): number {
    return (this.server.modelCalls.get(key) ?? this.server.effects.get(key))?.begun ?? 0;
  }

  /** Calls that were requested again although their end had been stored; none may be. */
  listRepeatedCalls(): string[] {
    return [...this.#finishedCalls.values()].flatMap(({ path, key, begun }) =>
      begun === 0 || this.#countBegun(key) > begun
        ? [
            `run ${this.id} (${this.shape}): ${path} was requested ${this.#countBegun(key)} times, ${begun} when it ended`,
          ]
        : [],
    );
  }

  /** What is wrong with the order and the completeness of its stored events. */
  async listEventFaults(): Promise<string[]> {
    const stored: RunEvent[] = [];
    for (let more = true; more; ) {
      const events = await readEvents(this.db, this.id, stored.length);
      stored.push(...events);
      more = events.length > 0;
    }
    const started = listStarted(stored);
    const finishedIds = stored.flatMap((event) => (event.type === "node.finished" ? [event.id] : []));
    const isSorted = (values: readonly number[]) => values.every((value, index) => value >= (values[index - 1] ?? 0));
    const isSame = (left: readonly number[], right: readonly number[]) =>
      left.toSorted((a, b) => a - b).join() === right.toSorted((a, b) => a - b).join();
    const faults: [string, boolean][] = [
      ["events were changed after they had been read", this.#isStartOf(stored)],
      ["a number is missing or there twice", stored.every(({ seq }, index) => seq === index + 1)],
      ["times decrease", isSorted(stored.map(({ at }) => at))],
      ["not exactly one end of the run", stored.filter(({ type }) => type === "run.finished").length === 1],
      ["the last event is not the end of the run", stored.at(-1)?.type === "run.finished"],
      ["a path is there twice", new Set(started.map(({ path }) => path)).size === started.length],
      [
        "not every node that started ended once",
        isSame(
          started.map(({ id }) => id),
          finishedIds,
        ),
      ],
      ["not every row of a node has ended", (await this.#countOpenRows()) === 0],
    ];
    return faults.flatMap(([fault, isRight]) => (isRight ? [] : [`run ${this.id} (${this.shape}): ${fault}`]));
  }

  #isStartOf(stored: readonly RunEvent[]): boolean {
    return this.#events.every((event, index) => JSON.stringify(event) === JSON.stringify(stored[index]));
  }

  #countOpenRows(): Promise<number> {
    return this.db.runNode.count({ where: { runId: this.id, endedAt: null } });
  }

  /** What is wrong with its end: its status, its output and its totals. */
  async listEndFaults(): Promise<string[]> {
    const row = await this.db.run.findUniqueOrThrow({ where: { id: this.id } });
    const label = `run ${this.id} (${this.shape})`;
    if (row.status !== "SUCCESS") return [`${label}: ended as ${row.status}: ${row.error}`];
    const calls = new Set(listStarted(this.#events).flatMap(({ id, kind }) => (kind === "llm_call" ? [id] : [])));
    const total = this.#events.reduce(
      (sum, event) => (event.type === "node.finished" && calls.has(event.id) ? addUsage(sum, event.usage) : sum),
      noUsage,
    );
    const output = readOutput(row.output).text;
    return [
      ...(output === this.expectedOutput ? [] : [`${label}: expected ${this.expectedOutput}, found ${output}`]),
      ...(row.usage === JSON.stringify(total)
        ? []
        : [`${label}: its calls used ${JSON.stringify(total)}, its row has ${row.usage}`]),
      ...(row.tokens === total.input + total.output ? [] : [`${label}: its row has ${row.tokens} tokens`]),
    ];
  }
}
