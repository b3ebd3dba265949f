import { z } from "zod";
import { type Message, messageSchema, toolCallSchema } from "@/lib/core/run/messages";
import type { RunNode, RunState } from "@/lib/core/trace/run-state";

/** What `run --json` prints. */
export function toResult(state: RunState, before: readonly Message[]) {
  const calls = state.nodes.filter((node) => node.kind === "llm_call");
  return {
    status: state.status,
    output: state.output.text,
    /** The conversation of the last model call, with its answer. */
    messages: readConversation(calls.at(-1)) ?? [...before, { role: "user", content: state.input.text }],
    usage: state.usage,
    /** Model calls that were made. */
    steps: calls.length,
    nodes: state.nodes,
    ...(state.simulated && { simulated: true }),
    ...(state.error && { error: state.error }),
  };
}

/** The messages of a model call are its input; its answer is in its output and metadata. */
function readConversation(call: RunNode | undefined): Message[] | null {
  if (!call) return null;
  const sent = z.array(messageSchema).parse(JSON.parse(call.input.text));
  if (call.status !== "SUCCESS") return sent;
  const toolCalls = z.array(toolCallSchema).catch([]).parse(call.metadata.toolCalls);
  return [...sent, { role: "assistant", content: call.output.text, ...(toolCalls.length > 0 && { toolCalls }) }];
}
