import "server-only";
import type { Message } from "@/lib/core/run/events/messages";
import { isObject, type JsonObject, parseJson } from "./json";

type ConversationMessage = Exclude<Message, { role: "system" }>;
type TurnRole = ConversationMessage["role"];

/** The system texts of a conversation. */
export const systemTextsOf = (messages: readonly Message[]): string[] =>
  messages.filter(({ role }) => role === "system").map(({ content }) => content);

/** In place of a question that is missing or blank. */
export const noInput = "(no input)";

export const isBlank = (text: string): boolean => text.trim() === "";

/**
 * The messages without the system's, neighbours of one role as one turn. The user begins, and no question is blank: the
 * services refuse anything else. `toBlocks` gets no blank question.
 */
export function toTurns<Block>(
  messages: readonly Message[],
  roleOf: (message: ConversationMessage) => TurnRole,
  toBlocks: (message: ConversationMessage) => Block[],
): { role: TurnRole; blocks: Block[] }[] {
  const question: ConversationMessage = { role: "user", content: noInput };
  const turns: { role: TurnRole; blocks: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = roleOf(message);
    const blocks = toBlocks(message.role === "user" && isBlank(message.content) ? question : message);
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, blocks });
  }
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", blocks: toBlocks(question) });
  return turns;
}

/** Arguments that are no JSON object, as a model wrote them, are sent back as an empty one; the tool's error explains why. */
export function toArguments(text: string): JsonObject {
  const value = parseJson(text);
  return isObject(value) ? value : {};
}
