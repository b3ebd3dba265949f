import type { Message } from "@/lib/core/run/events/messages";
import { listWarnings } from "@/lib/core/run/events/warnings";
import { toConversation } from "@/lib/core/trace/conversation/call-messages";
import type { RunState } from "@/lib/core/trace/model/run-state";

/** What `run --json` prints. */
export function toResult(state: RunState, before: readonly Message[]) {
  const calls = state.nodes.filter((node) => node.kind === "llm_call");
  const last = calls.at(-1);
  return {
    status: state.status,
    output: state.output.text,
    /** The conversation of the last model call, with its answer. */
    messages: last ? toConversation(last) : [...before, { role: "user", content: state.input.text }],
    usage: state.usage,
    /** Model calls that were made. */
    steps: calls.length,
    nodes: state.nodes,
    warnings: listWarnings(state.nodes),
    ...(state.simulated && { simulated: true }),
    ...(state.error && { error: state.error }),
  };
}
