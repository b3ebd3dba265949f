import { callsOf } from "../conversation/call-messages";
import type { RunNode } from "../model/run-state";
import { schemaUrl, scopeName } from "./mapping";
import { type Span, type TraceRequest, toAttributes } from "./otlp";
import { type Before, type TracedRun, type TraceOptions, toCallId, toSpan } from "./to-span";

/** Turns the steps of one run into spans, one at a time, in the order in which they started. Keeps names and paths only. */
export class SpanWriter {
  readonly #paths = new Map<number, string>();
  /** The ids of the calls that the last answer of a model below each agent asked for. */
  readonly #calls = new Map<number, readonly string[]>();

  constructor(
    private readonly run: TracedRun,
    private readonly options: TraceOptions,
  ) {}

  /** A parent that did not come before is left out: every parent exists in the trace. */
  toSpan(node: RunNode): Span {
    const { id, parent, path, kind } = node;
    const parentPath = parent === undefined ? undefined : this.#paths.get(parent);
    this.#paths.set(id, path);
    if (kind === "llm_call" && parent !== undefined) {
      this.#calls.set(
        parent,
        callsOf(node).map((call) => call.id),
      );
    }
    const before: Before = {
      parent: parent !== undefined && parentPath !== undefined ? { id: parent, path: parentPath } : undefined,
      callId: kind === "tool_call" && parent !== undefined ? toCallId(node, this.#calls.get(parent) ?? []) : undefined,
    };
    return toSpan(this.run, node, before, this.options);
  }
}

const resource = { attributes: toAttributes({ "service.name": scopeName }) };

/** Spans as the request that collectors take and files hold. */
export const toRequest = (spans: readonly Span[]): TraceRequest => ({
  resourceSpans: [{ resource, scopeSpans: [{ scope: { name: scopeName }, spans, schemaUrl }] }],
});

/** A run as one request. */
export function toTrace(run: TracedRun, nodes: Iterable<RunNode>, options: TraceOptions): TraceRequest {
  const writer = new SpanWriter(run, options);
  return toRequest(Array.from(nodes, (node) => writer.toSpan(node)));
}

/** The text of a request before and after its spans, for writing a long one span by span with commas between. */
export function toFrame(): { head: string; tail: string } {
  const [head = "", tail = ""] = JSON.stringify(toRequest([])).split('"spans":[');
  return { head: `${head}"spans":[`, tail };
}
