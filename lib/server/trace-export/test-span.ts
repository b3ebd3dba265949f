import "server-only";
import { randomUUID } from "node:crypto";
import { toSpanId, toTraceId } from "@/lib/core/trace/otlp/ids";
import { type Span, spanKinds, toAttributes, toNano } from "@/lib/core/trace/otlp/otlp";

/** A span of no run, for looking whether it arrives. */
export function toTestSpan(now: number): Span {
  const id = randomUUID();
  return {
    traceId: toTraceId(id),
    spanId: toSpanId(id, 1),
    name: "swarmloom test",
    kind: spanKinds.internal,
    startTimeUnixNano: toNano(now),
    endTimeUnixNano: toNano(now + 1),
    attributes: toAttributes({ "swarmloom.test": true }),
    events: [],
    status: {},
  };
}
