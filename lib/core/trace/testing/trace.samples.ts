import type { RunNodeKind } from "../../run/events/events";
import type { RunStatus } from "../../run/events/run-status";
import { noUsage, type Usage } from "../../run/events/usage";
import { Trace } from "../model/trace";

export interface SampleSpan {
  kind?: RunNodeKind;
  name?: string;
  path?: string;
  /** Span of the parent; missing: the first span, and for the first span none. */
  parent?: number;
  start: number;
  /** Missing: it is still open. */
  end?: number;
  status?: RunStatus;
  usage?: Partial<Usage>;
  /** A fork took it over; when it ran. */
  ran?: readonly [start: number, end: number];
}

/** A trace of these steps for tests, in this order; a step without a kind is an agent, the first one a swarm. */
export function sampleTrace(spans: readonly SampleSpan[]): Trace {
  const trace = new Trace();
  for (const [span, { kind, name = `n${span}`, path = `p${span}`, parent = 0, start }] of spans.entries())
    trace.start({
      id: span + 1,
      parent: span === 0 ? undefined : parent + 1,
      path,
      kind: kind ?? (span === 0 ? "swarm" : "agent"),
      name,
      at: start,
    });
  for (const [span, { end, status = "SUCCESS", usage, ran }] of [...spans.entries()].reverse())
    if (end !== undefined)
      trace.end(span, { at: end, status, usage: { ...noUsage, ...usage }, ...(ran && { reused: true, ran }) });
  return trace;
}

/** The numbers of the marked places. */
export const marked = (marks: Uint8Array): number[] =>
  [...marks.entries()].flatMap(([span, mark]) => (mark ? span : []));
