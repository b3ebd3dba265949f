import * as z from "zod/mini";
import { runNodeKinds } from "../../run/events/events";
import { runStatuses } from "../../run/events/run-status";
import { type Cost, noUsage, toCost, type Usage } from "../../run/events/usage";
import type { StepWarning } from "../../run/events/warnings";
import type { LiveText } from "./live-texts";
import { Trace } from "./trace";
import {
  kindNumber,
  type OpenQuestion,
  type RunFacts,
  type SpanAttempt,
  statusNumber,
  type TraceView,
} from "./trace-view";

/** A trace on the wire: columns of small numbers, which compress well, and lists for what few spans have. Times are in whole milliseconds. */
export interface TraceSnapshot {
  /** Number of the last event that is in here. */
  seq: number;
  run: RunFacts;
  names: readonly string[];
  tails: readonly string[];
  /** Declared agents in order, then others in the order of their first steps. */
  agents: readonly string[];
  /** One letter a span: `a` for the first of `runNodeKinds`, of `runStatuses`. */
  kind: string;
  status: string;
  /** The distance from a span back to its parent; 0: it has none. */
  parent: readonly number[];
  name: readonly number[];
  cut: readonly number[];
  tail: readonly number[];
  /** Since the start of the span before it; the first since the epoch. */
  start: readonly number[];
  /** -1: it has not ended. */
  duration: readonly number[];
  /** From here on a place for each model call, in order. Until the first token; -1: there was none. */
  firstToken: readonly number[];
  input: readonly number[];
  output: readonly number[];
  cached: readonly number[];
  reasoning: readonly number[];
  calls: readonly number[];
  /** In billionths of a dollar; -1: unknown. */
  cost: readonly number[];
  /** From here on spans that have it. Calls whose cost is more than what is known of it: */
  partialCost: readonly number[];
  estimated: readonly number[];
  simulated: readonly number[];
  queued: readonly (readonly [span: number, ms: number])[];
  attempts: readonly (readonly [span: number, attempts: readonly SpanAttempt[]])[];
  errors: readonly (readonly [span: number, code: string])[];
  warnings: readonly (readonly [span: number, warnings: readonly StepWarning[]])[];
  links: readonly (readonly [span: number, link: readonly [from: string, to: string]])[];
  reused: readonly number[];
  ran: readonly (readonly [span: number, times: readonly [start: number, end: number]])[];
  questions: readonly (readonly [span: number, question: OpenQuestion])[];
  texts: readonly (readonly [call: number, text: LiveText])[];
}

/** Of a snapshot on the wire only what its columns are read by is checked: there may be a million numbers in them. */
const envelopeSchema = z.object({ seq: z.number(), kind: z.string(), status: z.string(), start: z.array(z.unknown()) });
export const traceSnapshotSchema = z.custom<TraceSnapshot>((value) => {
  const { data } = envelopeSchema.safeParse(value);
  return data !== undefined && data.status.length === data.kind.length && data.start.length === data.kind.length;
});

const letterA = 97;
const billion = 1_000_000_000;
const callKind = kindNumber("llm_call");
const toLetters = (column: Uint8Array, length: number): string =>
  new TextDecoder().decode(column.subarray(0, length).map((number) => letterA + number));
const fromLetter = (letters: string, index: number): number => letters.charCodeAt(index) - letterA;
const toList = (column: ArrayLike<number>, length: number): number[] => listSpans(length, (span) => column[span] ?? 0);

/** A value for each span. `Array.from` takes several times as long. */
function listSpans(length: number, toValue: (span: number) => number): number[] {
  const values: number[] = [];
  for (let span = 0; span < length; span++) values.push(toValue(span));
  return values;
}

export function toTraceSnapshot(trace: TraceView): TraceSnapshot {
  const { columns, length } = trace;
  const call = listSpans(length, (span) => span).filter((span) => columns.kind[span] === callKind);
  const ofCalls = (column: ArrayLike<number>): number[] => call.map((span) => column[span] ?? 0);
  let before = 0;
  return {
    seq: trace.seq,
    run: trace.run,
    names: trace.names.values,
    tails: trace.tails.values,
    agents: [...trace.agents.byName.keys()],
    kind: toLetters(columns.kind, length),
    status: toLetters(columns.status, length),
    parent: listSpans(length, (span) => ((columns.parent[span] ?? -1) < 0 ? 0 : span - (columns.parent[span] ?? 0))),
    name: toList(columns.name, length),
    cut: toList(columns.cut, length),
    tail: toList(columns.tail, length),
    start: listSpans(length, (span) => {
      const startTime = Math.round(columns.start[span] ?? 0);
      const since = startTime - before;
      before = startTime;
      return since;
    }),
    duration: listSpans(length, (span) => toOffset(columns.end[span], columns.start[span])),
    firstToken: call.map((span) => toOffset(columns.firstToken[span], columns.start[span])),
    input: ofCalls(columns.input),
    output: ofCalls(columns.output),
    cached: ofCalls(columns.cached),
    reasoning: ofCalls(columns.reasoning),
    calls: ofCalls(columns.calls),
    cost: call.map((span) => toBillionths(trace.costOf(span))),
    partialCost: call.filter((span) => trace.costOf(span).isCostPartial),
    estimated: call.filter((span) => trace.isEstimated(span)),
    simulated: call.filter((span) => trace.isSimulated(span)),
    queued: [...trace.queued],
    attempts: [...trace.attempts],
    errors: [...trace.errors],
    warnings: [...trace.warnings],
    links: [...trace.links],
    reused: [...trace.reused],
    ran: [...trace.ran],
    questions: [...trace.questions],
    texts: trace.texts.entries(),
  };
}

const toBillionths = ({ cost }: Cost): number => (cost === null ? -1 : Math.round(cost * billion));

const toOffset = (time = Number.NaN, start = 0): number =>
  Number.isNaN(time) ? -1 : Math.max(0, Math.round(time) - Math.round(start));

/** The trace that `toTraceSnapshot` wrote. */
export function fromTraceSnapshot(snapshot: TraceSnapshot): Trace {
  const trace = new Trace(snapshot);
  const valueAt = (column: readonly number[], index: number): number => column[index] ?? 0;
  const length = snapshot.kind.length;
  let startTime = 0;
  for (let span = 0; span < length; span++) {
    startTime += valueAt(snapshot.start, span);
    const back = valueAt(snapshot.parent, span);
    trace.append(back === 0 ? -1 : span - back, {
      kind: Math.min(fromLetter(snapshot.kind, span), runNodeKinds.length - 1),
      name: valueAt(snapshot.name, span),
      cut: valueAt(snapshot.cut, span),
      tail: valueAt(snapshot.tail, span),
      at: startTime,
    });
  }
  for (const [span, ms] of snapshot.queued) trace.queued.set(span, ms);
  for (const [span, attempts] of snapshot.attempts) trace.attempts.set(span, attempts);
  for (const [span, warnings] of snapshot.warnings) for (const warning of warnings) trace.addWarning(span, warning);
  restoreEnds(trace, snapshot);
  for (const [span, { text, reasoning }] of snapshot.texts)
    trace.texts.append(span, trace.columns.parent[span] ?? -1, { text, reasoning });
  for (const [span, question] of snapshot.questions) trace.setQuestion(span, question);
  trace.setRun(snapshot.run);
  trace.seq = snapshot.seq;
  return trace;
}

function usageOf(
  { input, output, cached, reasoning, calls, cost }: TraceSnapshot,
  call: number,
  { estimated, isCostPartial }: { estimated: boolean; isCostPartial: boolean },
): Usage {
  const billionths = cost[call] ?? -1;
  return {
    input: input[call] ?? 0,
    output: output[call] ?? 0,
    cached: cached[call] ?? 0,
    reasoning: reasoning[call] ?? 0,
    calls: calls[call] ?? 0,
    ...toCost(Math.max(0, billionths) / billion, billionths < 0 || isCostPartial),
    estimated,
  };
}

/** From the last to the first: what is below ends before what is above, so that every end is taken. */
function restoreEnds(trace: Trace, snapshot: TraceSnapshot): void {
  const { start, kind } = trace.columns;
  const codes = new Map(snapshot.errors);
  const links = new Map(snapshot.links);
  const reused = new Set(snapshot.reused);
  const ran = new Map(snapshot.ran);
  const simulated = new Set(snapshot.simulated);
  const estimated = new Set(snapshot.estimated);
  const partialCost = new Set(snapshot.partialCost);
  let call = snapshot.firstToken.length - 1;
  for (let span = trace.length - 1; span >= 0; span--) {
    const begun = start[span] ?? 0;
    const isCall = kind[span] === callKind;
    const duration = snapshot.duration[span] ?? -1;
    const status = runStatuses[fromLetter(snapshot.status, span)] ?? "RUNNING";
    if (isCall && (snapshot.firstToken[call] ?? -1) >= 0)
      trace.markFirstToken(span, begun + (snapshot.firstToken[call] ?? 0));
    if (duration >= 0) {
      const usage = isCall
        ? usageOf(snapshot, call, { estimated: estimated.has(span), isCostPartial: partialCost.has(span) })
        : noUsage;
      trace.end(span, {
        at: begun + duration,
        status,
        usage,
        code: codes.get(span),
        link: links.get(span),
        reused: reused.has(span),
        ran: ran.get(span),
        simulated: simulated.has(span),
      });
    } else trace.columns.status[span] = statusNumber(status);
    if (isCall) call--;
  }
}
