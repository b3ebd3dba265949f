import fc from "fast-check";
import { type RunEvent, runNodeKinds } from "../../run/events/events";
import { isTerminal, runStatuses } from "../../run/events/run-status";
import { type Cost, noUsage, toCost } from "../../run/events/usage";
import { Trace } from "../model/trace";
import { applyBatch, toBatch } from "../model/trace-batch";

/** One thing that happens: what, to which of the open steps, how much later. */
const happening = fc.record({
  what: fc.constantFrom(
    "start",
    "start",
    "start",
    "text",
    "think",
    "fail",
    "queue",
    "warn",
    "ask",
    "answer",
    "finish",
    "finish",
  ),
  target: fc.nat(1000),
  kind: fc.constantFrom(...runNodeKinds),
  later: fc.constantFrom(0, 0, 1, 5, 40, 3000),
  status: fc.constantFrom(...runStatuses.filter(isTerminal)),
  text: fc.string({ maxLength: 4 }),
  cost: fc.option(fc.nat(1000).map((millionths) => millionths / 1_000_000)),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** The events of a run in which anything may happen that the engine can tell: some runs end, some are cut off. */
export const runEvents: fc.Arbitrary<RunEvent[]> = fc
  .record({ happenings: fc.array(happening, { maxLength: 60 }), ends: fc.boolean() })
  .map(({ happenings, ends }) => new Teller().tell(happenings, ends));

/** Tells happenings as events that a run could have: parents begin before and end after their children. */
class Teller {
  readonly events: RunEvent[] = [];
  readonly #open: { id: number; path: string; kind: string; asked: boolean }[] = [];
  #at = 1_000_000;
  #count = 0;

  tell(happenings: readonly Happening[], ends: boolean): RunEvent[] {
    this.#put({ type: "run.started", input: { text: "Q" }, flow: "Flow" });
    this.#start("swarm", 0);
    for (const one of happenings) {
      this.#at += one.later;
      this.#tell(one);
    }
    if (!ends) return this.events;
    while (this.#open.length > 0) this.#finish(this.#open.length - 1, "SUCCESS", null);
    this.#put({ type: "run.finished", status: "SUCCESS", output: { text: "" }, usage: noUsage });
    return this.events;
  }

  #tell({ what, target, kind, status, text, cost }: Happening): void {
    const place = this.#open.length > 0 ? target % this.#open.length : -1;
    const node = this.#open[place];
    if (!node) return;
    const { id } = node;
    const isCall = node.kind === "llm_call";
    if (what === "start") {
      if (!isCall) this.#start(kind, place);
    } else if (what === "finish") this.#finish(place, status, cost);
    else if (what === "ask" && !node.asked) {
      node.asked = true;
      this.#put({ type: "answer.requested", id, request: { type: "question", message: text } });
    } else if (what === "answer" && node.asked) {
      node.asked = false;
      this.#put({ type: "answer.given", id, answer: { decision: "approved", by: "You" } });
    } else if (what === "warn") {
      this.#put({ type: "node.noted", id, code: "answer-cut", message: text });
      this.#put({ type: "node.noted", id, code: "provider-deviation", message: text });
    } else if (!isCall) return;
    else if (what === "text") this.#put({ type: "text.appended", id, text });
    else if (what === "think") this.#put({ type: "reasoning.appended", id, text });
    else if (what === "fail")
      this.#put({ type: "attempt.failed", id, attempt: 1, error: { code: "network", message: "" }, waitMs: target });
    else if (what === "queue") this.#put({ type: "attempt.queued", id, waitMs: target });
  }

  #start(kind: (typeof runNodeKinds)[number], place: number): void {
    const above = this.#open[place];
    const id = ++this.#count;
    const tail = ["#llm-1", "/a", "#2/b", ""][id % 4] ?? "";
    const path = id % 7 === 0 ? `other${tail}` : `${above?.path ?? ""}${tail}`;
    const name = `n${id % 5}`;
    this.#open.push({ id, path, kind, asked: false });
    const parent = above ? { parent: above.id } : {};
    this.#put({ type: "node.started", id, ...parent, path, kind, name, input: { text: "" } });
  }

  /** A step ends after everything below it: whatever was opened since ends first. */
  #finish(place: number, status: (typeof runStatuses)[number], cost: number | null): void {
    for (const { id, kind } of this.#open.splice(place).reverse()) {
      const usage =
        kind === "llm_call"
          ? { ...noUsage, input: id, output: 2 * id, calls: 1, ...toCallCost(id, cost), estimated: id % 3 === 0 }
          : noUsage;
      const error = status === "FAILED" ? { error: { code: "network", message: "" } } : {};
      this.#put({ type: "node.finished", id, status, output: { text: "" }, usage, simulated: id % 5 === 0, ...error });
    }
  }

  #put(event: DistributiveOmit<RunEvent, "seq" | "at">): void {
    this.events.push({ ...event, seq: this.events.length + 1, at: this.#at });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The trace that events lead to. */
export function traceOf(events: readonly RunEvent[]): Trace {
  const trace = new Trace();
  const batch = toBatch(events);
  if (batch) applyBatch(trace, batch);
  return trace;
}

/** Some calls have attempts of unknown cost. */
const toCallCost = (id: number, cost: number | null): Cost => toCost(cost ?? 0, cost === null || id % 4 === 0);
