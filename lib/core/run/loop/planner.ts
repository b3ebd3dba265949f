import type { Message, ToolCall } from "../events/messages";

/** An agent's conversation and what limits it. Plain data: the same conversation always has the same next step. */
export interface Conversation {
  messages: readonly Message[];
  /** Model calls answered in this run. */
  turns: number;
  /** Signatures of the turns that called tools, in order. */
  signatures: readonly string[];
  max_steps: number;
  loop_threshold: number;
}

/** What happens next with a conversation. */
export type NextAction =
  /** Nobody has asked anything. */
  | { type: "nothing-to-do" }
  | { type: "call-model" }
  | { type: "execute-tools"; calls: readonly ToolCall[] }
  | { type: "done"; reason: "answered" | "step-limit"; answer: string }
  | { type: "done"; reason: "loop"; answer: string; signature: string };

/** The next step of the plan-execute loop, decided here and nowhere else. */
export function decideNextAction(conversation: Conversation): NextAction {
  const { messages, turns: steps, max_steps } = conversation;
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
      const signature = findLoop(conversation);
      if (signature !== null) return { type: "done", reason: "loop", answer, signature };
      return { type: "execute-tools", calls };
    }
    case "tool": {
      const { answer, open } = lastTurn(messages);
      if (open.length > 0) return { type: "execute-tools", calls: open };
      return steps < max_steps ? { type: "call-model" } : { type: "done", reason: "step-limit", answer };
    }
  }
}

/** The signature that the last `loop_threshold` turns with tools share, or null. */
function findLoop({ signatures, loop_threshold }: Conversation): string | null {
  const recent = signatures.slice(-loop_threshold);
  const [first] = recent;
  const isLoop = recent.length === loop_threshold && recent.every((signature) => signature === first);
  return isLoop && first !== undefined ? first : null;
}

/** What the model said last, and those of its tool calls that have no result yet. Results stand in the order of the calls. */
function lastTurn(messages: readonly Message[]): { answer: string; open: readonly ToolCall[] } {
  const place = messages.findLastIndex((message) => message.role !== "tool");
  const turn = messages[place];
  if (turn?.role !== "assistant") return { answer: "", open: [] };
  return { answer: turn.content, open: (turn.toolCalls ?? []).slice(messages.length - 1 - place) };
}
