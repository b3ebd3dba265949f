import "server-only";
import { countTextUnits } from "@/lib/core/run/events/count-text-units";
import type { RunEvent } from "@/lib/core/run/events/events";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { dropEndedNodes, emptyRunState, findNode, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import { toSpanFacts } from "@/lib/core/trace/model/span-facts";
import { truncateNodeTexts } from "@/lib/core/trace/model/step-texts";
import { type Db, isDatabaseError, type RunStore } from "../../db";
import { redactTexts } from "../../log/redact";
import { listKeys } from "../../log/secrets";
import { notifyRun } from "../store/notify-run";
import { toOpenState } from "../store/open-state";
import { type PayloadRow, SharedTexts } from "../store/payload-rows";
import { searchedUnits, toModelLines, toSearchText } from "../store/search-columns";
import { splitEditedInput, splitPayloads, splitReasoning } from "../store/split-payloads";
import type { Claim } from "./claim-run";
import { KnownTexts } from "./known-texts";

/** The claim is not valid any more: another process drives the run, or it has ended. */
export class LostClaimError extends Error {
  override name = "LostClaimError";
}

const flushAfterMs = 25;
const listedEveryMs = 1_000;
/** What one write of a run stores at most, in events and in UTF-16 units of their texts, besides a last event. */
const [maxUnwrittenEvents, maxUnwrittenUnits] = [500, 2_000_000];

interface RecorderOptions {
  onFailure?: (error: unknown) => void;
  state?: RunState | undefined;
  input?: string;
  /** Whether some step of the run is at work, as of its last event; missing: that is not stored. */
  work?: { readonly isAtWork: boolean };
}

/** Stores the events of one run as they happen, and the nodes and the run that they fold to, in few statements. */
export class RunRecorder {
  /** As of the last write. Of its nodes only those that have not ended: the others are stored. */
  state: RunState;
  #events: RunEvent[] = [];
  #payloads: PayloadRow[] = [];
  readonly #texts = new SharedTexts();
  readonly #knownTexts = new KnownTexts();
  /** How long the texts of events are that are not written yet, in UTF-16 units. */
  #unwrittenUnits = 0;
  #changed = new Set<number>();
  readonly #listed: { models: Set<string>; input: string; output: string };
  #timer: ReturnType<typeof setTimeout> | undefined;
  #immediate: ReturnType<typeof setImmediate> | undefined;
  #last: Promise<void> = Promise.resolve();
  #failure: unknown;
  #isClosed = false;
  /** What the run's own row was written from last, and when. */
  #listedState: Pick<RunState, "status" | "warnings" | "seq"> & { isWorking: boolean } = {
    ...emptyRunState,
    isWorking: false,
  };
  readonly #work: { readonly isAtWork: boolean };
  #listedAt = Number.NEGATIVE_INFINITY;
  #listTimer: ReturnType<typeof setTimeout> | undefined;
  /** Read anew with every write, not with every word. */
  #keys = listKeys();

  private readonly onFailure: (error: unknown) => void;

  /**
   * `onFailure` is called at once when a write failed: what is produced from then on cannot be stored. `state`: what
   * earlier executors of the run stored; `input`: that of the run.
   */
  constructor(
    private readonly store: RunStore,
    private readonly claim: Claim,
    { onFailure = () => {}, state = emptyRunState, input = "", work = { isAtWork: false } }: RecorderOptions = {},
  ) {
    this.#work = work;
    this.onFailure = onFailure;
    this.state = state;
    const models = new Set(state.nodes.flatMap(({ kind, name }) => (kind === "llm_call" ? [name] : [])));
    this.#listed = { models, input: input.slice(0, searchedUnits), output: "" };
  }

  /** Takes an event. It is on disk after `flush`, or at the latest some 25 ms later. Once closed it takes none. */
  add(produced: RunEvent): void {
    if (this.#isClosed) return;
    // Models and tools may repeat a key: it never gets into a row.
    const original = redactTexts(produced, this.#keys, this.#knownTexts.redact);
    this.#keepForList(original);
    const { event, payloads } = splitPayloads(original, this.#knownTexts.truncate);
    this.#unwrittenUnits += countTextUnits(produced);
    this.#events.push(event);
    if (payloads.length > 0) this.#payloads.push(...this.#texts.toRows(event, payloads));
    // Pieces of text live in the events alone until their node ends: nodes are not written at every word.
    if ("id" in event && event.type !== "text.appended" && event.type !== "reasoning.appended")
      this.#changed.add(event.id);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), flushAfterMs);
  }

  /** Whether so much is not written yet that the run should wait for `flush` before it goes on. */
  get isFull(): boolean {
    return this.#unwrittenUnits > maxUnwrittenUnits || this.#events.length > maxUnwrittenEvents;
  }

  #keepForList(event: RunEvent): void {
    if (event.type === "node.started" && event.kind === "llm_call") this.#listed.models.add(event.name);
    if (event.type === "run.finished") this.#listed.output = event.output.text.slice(0, searchedUnits);
  }

  /** Takes no more events. Those taken so far are still written. A write that fails closes, too. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#listTimer);
  }

  /**
   * Attempts again to write what a fault of the database kept from being written. Throws as `flush` does; after another
   * failure the events that it concerned are lost.
   */
  async rescue(): Promise<void> {
    await this.#last.catch(() => {});
    if (this.#failure && !isDatabaseError(this.#failure)) return;
    this.#failure = undefined;
    this.#last = Promise.resolve();
    await this.flush();
  }

  /** Writes what was taken so far, together with what follows in the same turn of the event loop. */
  flushSoon(): void {
    this.#immediate ??= setImmediate(() => void this.flush().catch(() => {}));
  }

  /** Resolves when everything taken so far is on disk. Throws LostClaimError, and DatabaseError. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    clearImmediate(this.#immediate);
    this.#immediate = undefined;
    this.#last = this.#last.then(() => this.#write());
    return this.#last;
  }

  async #write(): Promise<void> {
    if (this.#failure) throw this.#failure;
    const [events, payloads, changed] = [this.#events, this.#payloads, this.#changed];
    if (events.length === 0 && !this.#mustList(this.state, this.#isWorking(this.state))) return;
    [this.#events, this.#payloads, this.#changed] = [[], [], new Set()];
    this.#unwrittenUnits = 0;
    const keys = listKeys();
    if (keys.join("\n") !== this.#keys.join("\n")) this.#keys = keys;
    const state = foldEvents(this.state, events);
    try {
      await this.#store(state, events, payloads, changed);
    } catch (error) {
      this.close();
      this.#failure = error;
      this.#events = [...events, ...this.#events];
      this.#payloads = [...payloads, ...this.#payloads];
      this.#changed = new Set([...changed, ...this.#changed]);
      this.onFailure(error);
      throw error;
    }
    this.state = dropEndedNodes(state);
    notifyRun(this.claim.runId);
  }

  async #store(
    state: RunState,
    events: readonly RunEvent[],
    eventPayloads: readonly PayloadRow[],
    changed: ReadonlySet<number>,
  ): Promise<void> {
    const { runId, owner, epoch } = this.claim;
    const nodes = [...changed].flatMap((id) => findNode(state, id) ?? []);
    const split = [...nodes.flatMap(splitReasoning), ...nodes.flatMap(splitEditedInput)];
    const isWorking = this.#isWorking(state);
    const isListed = this.#mustList(state, isWorking);
    const openState = isListed ? toOpenState(state) : null;
    const payloads = [
      ...eventPayloads,
      ...split.map((payload) => ({ ...payload, sameAs: null })),
      ...(openState ? [openState] : []),
    ];
    const isWritten = await this.store.write({
      runId,
      owner,
      epoch,
      run: isListed ? { isWorking, ...toRunRow(state, this.#listed) } : {},
      events: events.map(toEventRow),
      payloads: lastOfEach(payloads).map(({ nodeId, field, body, sameAs }) => ({ nodeId, field, body, sameAs })),
      nodes: nodes.map(toNodeRow),
    });
    if (!isWritten) throw new LostClaimError(`run ${runId} is driven by another process, or has ended`);
    if (!isListed) {
      this.#listTimer ??= setTimeout(() => void this.flush().catch(() => {}), listedEveryMs);
      return;
    }
    clearTimeout(this.#listTimer);
    this.#listTimer = undefined;
    this.#listedState = { status: state.status, warnings: state.warnings, seq: state.seq, isWorking };
    this.#listedAt = performance.now();
  }

  /** A run that only waits for a person has no step at work. */
  #isWorking({ status }: RunState): boolean {
    return status === "WAITING" && this.#work.isAtWork;
  }

  /** What lists show of a running run may be a second old; its status and its warnings never are. */
  #mustList(state: RunState, isWorking: boolean): boolean {
    const { status, warnings, seq } = this.#listedState;
    if (state.status !== status || state.warnings !== warnings) return true;
    if (isWorking !== this.#listedState.isWorking) return true;
    return state.seq !== seq && performance.now() - this.#listedAt >= listedEveryMs;
  }
}

/** Appends events to a run, and replaces the texts and nodes that they changed. */
export async function storeChanges(
  tx: Pick<Db, "runEvent" | "runPayload" | "runNode">,
  runId: string,
  {
    events,
    payloads,
    nodes,
  }: { events: readonly RunEvent[]; payloads: readonly PayloadRow[]; nodes: readonly RunNode[] },
): Promise<void> {
  await tx.runEvent.createMany({ data: events.map((event) => ({ runId, ...toEventRow(event) })) });
  if (payloads.length > 0) {
    await tx.runPayload.deleteMany({ where: { runId, OR: payloads.map(({ nodeId, field }) => ({ nodeId, field })) } });
    await tx.runPayload.createMany({ data: lastOfEach(payloads).map((payload) => ({ runId, ...payload })) });
  }
  if (nodes.length > 0) {
    await tx.runNode.deleteMany({ where: { runId, nodeId: { in: nodes.map(({ id }) => id) } } });
    await tx.runNode.createMany({ data: nodes.map((node) => ({ runId, ...toNodeRow(node) })) });
  }
}

/** A second attempt's request takes the place of the first one's. */
const lastOfEach = (payloads: readonly PayloadRow[]): PayloadRow[] => [
  ...new Map(payloads.map((payload) => [`${payload.nodeId} ${payload.field}`, payload])).values(),
];

const toEventRow = (event: RunEvent) => ({
  seq: event.seq,
  type: event.type,
  at: new Date(event.at),
  body: JSON.stringify(event),
});

export const toNodeRow = (node: RunNode) => ({
  nodeId: node.id,
  parentId: node.parent ?? null,
  path: node.path,
  kind: node.kind,
  name: node.name,
  status: node.status,
  startedAt: new Date(node.startedAt),
  endedAt: node.endedAt === undefined ? null : new Date(node.endedAt),
  body: JSON.stringify(truncateNodeTexts(node)),
  facts: JSON.stringify(toSpanFacts(node)),
});

/** What lists need of a run besides its state: the models it called, and its complete texts. */
export interface ListedRun {
  models: ReadonlySet<string>;
  input: string;
  output: string;
}

/** What the run's own row takes from its state. Until the terminal event the status is RUNNING, WAITING or PAUSED. */
export function toRunRow(state: RunState, { models, input, output }: ListedRun) {
  const ended = isTerminal(state.status);
  const { usage } = state;
  return {
    status: ended || state.status === "WAITING" || state.status === "PAUSED" ? state.status : "RUNNING",
    // The claim is earlier by the time that it took to read the flow.
    ...(state.startedAt !== undefined && { startedAt: new Date(state.startedAt) }),
    usage: JSON.stringify(usage),
    simulated: state.simulated,
    tokens: usage.input + usage.output,
    cost: usage.cost,
    isCostPartial: usage.isCostPartial ?? false,
    models: toModelLines(models),
    warnings: state.warnings,
    ...(ended
      ? {
          output: JSON.stringify(state.output),
          error: state.error ? JSON.stringify(state.error) : null,
          errorCode: state.error?.code ?? null,
          endedAt: new Date(state.endedAt ?? 0),
          durationMs: state.startedAt === undefined ? null : (state.endedAt ?? 0) - state.startedAt,
          search: toSearchText(input, output),
          owner: null,
          leaseUntil: null,
          isWorking: false,
        }
      : {}),
  };
}
