import "server-only";
import type { Payload, RunEvent, RunEventOf } from "@/lib/core/run/events/events";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { payloadLimit, type TextField, truncateFacts, truncatePayload } from "@/lib/core/trace/model/step-texts";

/**
 * What is stored beside its event and node once it is too large for them: a text, or all of a step's facts as JSON. Of a
 * run under way also its state, see `toOpenState`.
 */
export type PayloadField = TextField | "metadata" | "state";

/** A text that was too large for its place and is stored on its own. */
export interface StoredPayload {
  nodeId: number;
  field: PayloadField;
  body: string;
}

/** Node id under which the run's own texts are stored. */
export const runPayloadId = 0;

interface Split {
  event: RunEvent;
  payloads: StoredPayload[];
}

/**
 * The event as it is stored and sent: large texts cut to their beginning, the whole of them beside it. `truncate`: for a
 * caller that knows the beginnings of some texts.
 */
export function splitPayloads(event: RunEvent, truncate = truncatePayload): Split {
  const nodeId = "id" in event ? event.id : runPayloadId;
  switch (event.type) {
    case "run.started":
    case "node.started":
      return {
        event: { ...event, input: truncate(event.input) },
        payloads: large(nodeId, "input", event.input),
      };
    case "run.finished":
      return {
        event: { ...event, output: truncate(event.output) },
        payloads: large(nodeId, "output", event.output),
      };
    case "request.sent":
    case "response.received":
      return {
        event: { ...event, body: truncate(event.body) },
        payloads: large(nodeId, event.type === "request.sent" ? "request" : "response", event.body),
      };
    case "node.finished":
      return splitEnd(event, truncate);
    default:
      return { event, payloads: [] };
  }
}

function splitEnd(event: RunEventOf<"node.finished">, truncate: typeof truncatePayload): Split {
  const { id, output, metadata } = event;
  const facts = metadata === undefined ? "" : JSON.stringify(metadata);
  const payloads = large(id, "output", output);
  const ended = { ...event, output: truncate(output) };
  if (!metadata || facts.length <= payloadLimit) return { event: ended, payloads };
  return {
    event: { ...ended, metadata: truncateFacts(metadata) },
    payloads: [...payloads, { nodeId: id, field: "metadata", body: facts }],
  };
}

const large = (nodeId: number, field: PayloadField, { text }: Payload): StoredPayload[] =>
  text.length > payloadLimit ? [{ nodeId, field, body: text }] : [];

/** Arguments that a person gave to a call instead of the model's, where they are too long for the row of their step. */
export const splitEditedInput = ({ id, input, question, answer }: RunNode): StoredPayload[] =>
  question?.type === "tool" && answer?.text !== undefined ? large(id, "input", input) : [];

/** What a model thought, where it is too long for the row of its step. It comes in pieces, so no event holds all of it. */
export const splitReasoning = ({ id, reasoning, endedAt }: RunNode): StoredPayload[] =>
  endedAt === undefined ? [] : large(id, "reasoning", { text: reasoning });
