import * as z from "zod/mini";
import { type Message, messageSchema, type ToolCall, toolCallSchema } from "../../run/events/messages";
import type { RunNode } from "../model/run-state";

const sentSchema = z.array(messageSchema);
const callsSchema = z.catch(z.array(toolCallSchema), []);

/** The tools that a model call asked for. */
export const callsOf = ({ metadata }: Pick<RunNode, "metadata">): readonly ToolCall[] =>
  callsSchema.parse(metadata.toolCalls);

/** The conversation of a model call with its answer; its texts must be whole. The messages are its input, the rest its output and metadata. */
export function toConversation(call: Pick<RunNode, "input" | "output" | "status" | "metadata">): Message[] {
  const sent = sentSchema.parse(JSON.parse(call.input.text));
  if (call.status !== "SUCCESS") return sent;
  const toolCalls = callsOf(call);
  return [
    ...sent,
    { role: "assistant", content: call.output.text, ...(toolCalls.length > 0 && { toolCalls: [...toolCalls] }) },
  ];
}
