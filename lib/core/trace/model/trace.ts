import type { RunNodeKind } from "../../run/events/events";
import { isAgentKind, isWorkKind } from "../../run/events/run-node-traits";
import { isFailure, isTerminal, type RunStatus } from "../../run/events/run-status";
import { hasUnknownCost, type Usage } from "../../run/events/usage";
import type { StepWarning } from "../../run/events/warnings";
import type { LiveText } from "./live-texts";
import { reserve } from "./span-columns";
import {
  flag,
  kindNumber,
  type OpenQuestion,
  type RunFacts,
  type SpanAttempt,
  statusNumber,
  TraceView,
} from "./trace-view";

export interface SpanStart {
  id: number;
  parent?: number | undefined;
  path: string;
  kind: RunNodeKind;
  name: string;
  at: number;
}

export interface SpanEnd {
  at: number;
  status: RunStatus;
  code?: string | undefined;
  /** Only that of model calls counts, as does `simulated`; the sums of their parents are computed here. */
  usage: Usage;
  simulated?: boolean | undefined;
  /** Of a handoff: the agent that hands over, and its target. */
  link?: readonly [from: string, to: string] | undefined;
  /** Whether a fork took it from its parent: it was not done. */
  reused?: boolean | undefined;
  /** Of such a step: when it ran, in milliseconds since the epoch. */
  ran?: readonly [start: number, end: number] | undefined;
}

/** Longest message of a warning in a trace, in UTF-16 units. */
const longestWarning = 500;

const runningNumber = statusNumber("RUNNING");

/** The steps of a run, updated in place as they arrive. Never throws: steps that cannot belong to the run are ignored. */
export class Trace extends TraceView {
  /** Roots are siblings of each other; the first span is one. */
  #lastRoot = -1;

  /** A snapshot object of the current state, by which renderings can be memoized. */
  view(): TraceView {
    return Object.assign(Object.create(TraceView.prototype), this);
  }

  setRun(facts: Partial<RunFacts>): void {
    this.run = { ...this.run, ...facts };
    this.version++;
  }

  /** Adds the next span; a known one, or one that would leave a gap, is ignored. */
  start({ id, parent, path, kind, name, at: startedAt }: SpanStart): void {
    const span = id - 1;
    if (span !== this.length) return;
    const above = parent === undefined || parent > span ? -1 : parent - 1;
    const [cut, tail] = splitPath(above < 0 ? "" : this.pathOf(above), path);
    const { tails, names } = this;
    const numbers = {
      kind: kindNumber(kind),
      name: names.numberOf(name),
      cut,
      tail: tails.numberOf(tail),
      at: startedAt,
    };
    this.append(above, numbers);
  }

  /** Adds a span by the numbers of its columns. */
  append(parent: number, entry: { kind: number; name: number; cut: number; tail: number; at: number }): void {
    const span = this.length++;
    const { columns } = this;
    reserve(columns, span);
    columns.parent[span] = parent;
    columns.firstChild[span] = -1;
    columns.lastChild[span] = -1;
    columns.nextSibling[span] = -1;
    columns.depth[span] = parent < 0 ? 1 : (columns.depth[parent] ?? 0) + 1;
    columns.kind[span] = entry.kind;
    columns.status[span] = runningNumber;
    columns.name[span] = entry.name;
    columns.cut[span] = entry.cut;
    columns.tail[span] = entry.tail;
    columns.start[span] = entry.at;
    columns.end[span] = Number.NaN;
    columns.firstToken[span] = Number.NaN;
    if (isAgentKind(this.kindOf(span))) this.agents.add(this.names.at(entry.name));
    const before = parent < 0 ? this.#lastRoot : (columns.lastChild[parent] ?? -1);
    if (before >= 0) columns.nextSibling[before] = span;
    else if (parent >= 0) columns.firstChild[parent] = span;
    if (parent >= 0) columns.lastChild[parent] = span;
    else this.#lastRoot = span;
    this.version++;
    this.shape++;
  }

  /** Text or reasoning of a model call came, the first or more. */
  markFirstToken(span: number, time: number): void {
    if (!this.isOpen(span)) return;
    const { firstToken } = this.columns;
    if (Number.isNaN(firstToken[span])) firstToken[span] = time;
    this.version++;
  }

  /** A model call goes on with words or thoughts. */
  appendText(span: number, time: number, textDelta: Partial<LiveText>): void {
    if (!this.isOpen(span)) return;
    this.markFirstToken(span, time);
    if (textDelta.text !== undefined || textDelta.reasoning !== undefined)
      this.texts.append(span, this.columns.parent[span] ?? -1, textDelta);
  }

  addAttempt(span: number, { queuedMs, ...attempt }: SpanAttempt): void {
    if (!this.isOpen(span)) return;
    this.attempts.set(span, [...(this.attempts.get(span) ?? []), attempt]);
    if (queuedMs !== undefined) this.addQueueTime(span, queuedMs);
    if (attempt.waitMs !== undefined) this.texts.clear(span);
    this.version++;
  }

  /** Keeps the beginning of the message: the step has it whole. */
  addWarning(span: number, { code, message }: StepWarning): void {
    if (!this.isOpen(span)) return;
    const warning = { code, message: message.slice(0, longestWarning) };
    this.warnings.set(span, [...(this.warnings.get(span) ?? []), warning]);
    this.warningCount++;
    this.#mark(span, flag.warned);
    this.version++;
  }

  /** The next attempt of a call waited for its turn. */
  addQueueTime(span: number, ms: number): void {
    if (!this.isOpen(span)) return;
    this.queued.set(span, (this.queued.get(span) ?? 0) + ms);
    const attempts = this.attempts.get(span);
    const last = attempts?.at(-1);
    if (attempts && last)
      this.attempts.set(span, [...attempts.slice(0, -1), { ...last, queuedMs: (last.queuedMs ?? 0) + ms }]);
    this.version++;
  }

  /** The step waits for a person, or with null goes on. */
  setQuestion(span: number, question: OpenQuestion | null): void {
    if (!this.isOpen(span)) return;
    if (question) this.questions.set(span, question);
    else this.questions.delete(span);
    this.columns.status[span] = statusNumber(question ? "WAITING" : "RUNNING");
    this.#listAsking();
    this.#setActive();
    this.version++;
  }

  #listAsking(): void {
    const { parent } = this.columns;
    this.asking.clear();
    for (const span of this.questions.keys())
      for (let above = parent[span] ?? -1; above >= 0 && isWorkKind(this.kindOf(above)); above = parent[above] ?? -1)
        this.asking.add(above);
  }

  /** The run is paused, or goes on. */
  setPaused(isPaused: boolean): void {
    if (isPaused && !isTerminal(this.run.status)) this.setRun({ status: "PAUSED" });
    else this.#setActive();
  }

  #setActive(): void {
    if (!isTerminal(this.run.status)) this.setRun({ status: this.questions.size > 0 ? "WAITING" : "RUNNING" });
  }

  /** Ends a span; what has ended stays as it ended. */
  end(span: number, { at: endedAt, status, usage, code, simulated, link, reused, ran }: SpanEnd): void {
    if (!this.isOpen(span)) return;
    const { columns } = this;
    if (this.questions.has(span)) this.setQuestion(span, null);
    columns.status[span] = statusNumber(status);
    columns.end[span] = Math.max(endedAt, columns.start[span] ?? endedAt);
    if (code !== undefined) this.errors.set(span, code);
    if (link) this.links.set(span, link);
    if (reused) this.reused.add(span);
    if (reused && ran) this.ran.set(span, ran);
    if (isFailure(status)) this.#mark(columns.parent[span] ?? -1, flag.failedBelow);
    if (this.kindOf(span) === "llm_call") {
      this.#addUsage(span, usage);
      if (simulated) this.#markSimulated(span);
    } else if (isAgentKind(this.kindOf(span))) this.newestAgent = span;
    this.texts.close(span);
    this.version++;
  }

  /** A run that goes on is simulated as soon as one of its calls is; how it ended is told with its end. */
  #markSimulated(call: number): void {
    this.#mark(call, flag.simulated);
    if (!this.run.simulated && !isTerminal(this.run.status)) this.setRun({ simulated: true });
  }

  #addUsage(call: number, usage: Usage): void {
    const { input, output, cached, reasoning, calls, cost } = usage;
    const { columns } = this;
    for (let span = call; span >= 0; span = columns.parent[span] ?? -1) {
      columns.input[span] = (columns.input[span] ?? 0) + input;
      columns.output[span] = (columns.output[span] ?? 0) + output;
      columns.cached[span] = (columns.cached[span] ?? 0) + cached;
      columns.reasoning[span] = (columns.reasoning[span] ?? 0) + reasoning;
      columns.calls[span] = (columns.calls[span] ?? 0) + calls;
      columns.cost[span] = (columns.cost[span] ?? 0) + (cost ?? 0);
    }
    if (usage.estimated) this.#mark(call, flag.estimated);
    if (hasUnknownCost(usage)) this.#mark(call, flag.unknownCost);
  }

  /** Marks a span and everything above it, up to where that was done before. */
  #mark(firstSpan: number, mark: number): void {
    const { flags, parent } = this.columns;
    for (let span = firstSpan; span >= 0; span = parent[span] ?? -1) {
      const before = flags[span] ?? 0;
      if ((before & mark) !== 0) return;
      flags[span] = before | mark;
    }
  }
}

/** A path as its parent's: how many characters of that go, and what follows. */
function splitPath(above: string, path: string): [cut: number, tail: string] {
  if (path.startsWith(above)) return [0, path.slice(above.length)];
  let same = 0;
  while (same < above.length && above[same] === path[same]) same++;
  return [above.length - same, path.slice(same)];
}
