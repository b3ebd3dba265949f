import "server-only";
import type { Payload, RunEvent } from "@/lib/core/run/events";

/** Longest text, in UTF-16 units, that an event or a node holds itself. */
export const payloadLimit = 16_384;

/** A text that was too large for its place and is stored on its own. */
export interface StoredPayload {
  nodeId: number;
  field: PayloadField;
  body: string;
}

export type PayloadField = "input" | "output" | "request";

/** Node id under which the run's own texts are stored. */
const runPayloadId = 0;

const cut = ({ text }: Payload): Payload => ({ text: text.slice(0, payloadLimit), length: text.length });
const isLarge = ({ text }: Payload): boolean => text.length > payloadLimit;

/** The event as it is stored and sent: large texts cut to their beginning, the whole of them beside it. */
export function splitPayloads(event: RunEvent): { event: RunEvent; payloads: StoredPayload[] } {
  if (event.type === "run.started" && isLarge(event.input))
    return {
      event: { ...event, input: cut(event.input) },
      payloads: [{ nodeId: runPayloadId, field: "input", body: event.input.text }],
    };
  if (event.type === "run.finished" && isLarge(event.output))
    return {
      event: { ...event, output: cut(event.output) },
      payloads: [{ nodeId: runPayloadId, field: "output", body: event.output.text }],
    };
  if (event.type === "node.started" && isLarge(event.input))
    return {
      event: { ...event, input: cut(event.input) },
      payloads: [{ nodeId: event.id, field: "input", body: event.input.text }],
    };
  if (event.type === "node.finished" && isLarge(event.output))
    return {
      event: { ...event, output: cut(event.output) },
      payloads: [{ nodeId: event.id, field: "output", body: event.output.text }],
    };
  if (event.type === "request.sent" && isLarge(event.body))
    return {
      event: { ...event, body: cut(event.body) },
      payloads: [{ nodeId: event.id, field: "request", body: event.body.text }],
    };
  return { event, payloads: [] };
}
