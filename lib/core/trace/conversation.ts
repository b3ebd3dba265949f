import * as z from "zod/mini";
import { type Message, messageSchema, toolCallSchema } from "../run/messages";
import type { RunNode } from "./run-state";

const sentSchema = z.array(messageSchema);
const callsSchema = z.catch(z.array(toolCallSchema), []);

/** The conversation of a model call with its answer; its texts must be whole. The messages are its input, the rest its output and metadata. */
export function toConversation(call: Pick<RunNode, "input" | "output" | "status" | "metadata">): Message[] {
  const sent = sentSchema.parse(JSON.parse(call.input.text));
  if (call.status !== "SUCCESS") return sent;
  const toolCalls = callsSchema.parse(call.metadata.toolCalls);
  return [...sent, { role: "assistant", content: call.output.text, ...(toolCalls.length > 0 && { toolCalls }) }];
}
