import type { toolCallOrders } from "../../kinds/agent-defaults";
import type { Message, ToolCall } from "../events/messages";

/** An agent's conversation and its limits. Plain data: the same conversation always has the same next action. */
export interface Conversation {
  messages: readonly Message[];
  /** Model calls answered in this run. */
  turns: number;
  /** Signatures of the turns that called tools, in order. */
  signatures: readonly string[];
  max_steps: number;
  loop_threshold: number;
  /** Tools that look at what others do: a turn that calls nothing else is part of no loop. */
  pollingTools: ReadonlySet<string>;
  /** How the tool calls of one turn run. */
  tool_calls: ToolCallOrder;
}

export type ToolCallOrder = (typeof toolCallOrders)[number];

export type NextAction =
  /** The conversation has no question. */
  | { type: "nothing-to-do" }
  | { type: "call-model" }
  | { type: "execute-tools"; calls: readonly ToolCall[]; order: ToolCallOrder }
  | { type: "done"; reason: "answered"; answer: string }
  | { type: "done"; reason: "step-limit"; answer: string }
  | { type: "done"; reason: "loop"; answer: string; signature: string };

/** The next action of the plan-execute loop, decided here and nowhere else. */
export function decideNextAction(conversation: Conversation): NextAction {
  const { messages, turns, max_steps, tool_calls: order } = conversation;
  const last = messages.at(-1);
  switch (last?.role) {
    case undefined:
    case "system":
      return { type: "nothing-to-do" };
    case "user":
      return { type: "call-model" };
    case "assistant": {
      const { content: answer, toolCalls: calls = [] } = last;
      if (calls.length === 0) return { type: "done", reason: "answered", answer };
      const isPoll = calls.every(({ name }) => conversation.pollingTools.has(name));
      const signature = isPoll ? null : findLoop(conversation);
      if (signature !== null) return { type: "done", reason: "loop", answer, signature };
      return { type: "execute-tools", calls, order };
    }
    case "tool": {
      const { answer, openCalls } = findLastTurn(messages);
      if (openCalls.length > 0) return { type: "execute-tools", calls: openCalls, order };
      return turns < max_steps ? { type: "call-model" } : { type: "done", reason: "step-limit", answer };
    }
  }
}

/** The signature that the last `loop_threshold` turns with tools share, or null. */
function findLoop({ signatures, loop_threshold }: Conversation): string | null {
  const recent = signatures.slice(-loop_threshold);
  const [signature = null] = recent;
  return recent.length === loop_threshold && recent.every((candidate) => candidate === signature) ? signature : null;
}

/** The last answer of the model, and its tool calls without a result. Results are in the order of the calls. */
function findLastTurn(messages: readonly Message[]): { answer: string; openCalls: readonly ToolCall[] } {
  const index = messages.findLastIndex((message) => message.role !== "tool");
  const turn = messages[index];
  if (turn?.role !== "assistant") return { answer: "", openCalls: [] };
  return { answer: turn.content, openCalls: (turn.toolCalls ?? []).slice(messages.length - 1 - index) };
}
