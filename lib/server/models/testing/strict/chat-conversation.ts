import "server-only";
import { type JsonObject, textOf } from "../../json";
import { callsOf, isEmptyContent, objectsIn, toolsOf } from "./read-body";

export const messagesOf = (body: JsonObject): JsonObject[] => objectsIn(body.messages);

/** The first call that the tool messages right after it do not answer, and the place of its message. */
export function findUnanswered(messages: readonly JsonObject[]): { id: string; index: number } | null {
  for (const [index, message] of messages.entries()) {
    const answers = messages.slice(index + 1);
    const end = answers.findIndex(({ role }) => role !== "tool");
    const answered = new Set((end < 0 ? answers : answers.slice(0, end)).map(({ tool_call_id: id }) => id));
    const call = callsOf(message).find(({ id }) => !answered.has(id));
    if (call) return { id: call.id, index };
  }
  return null;
}

/** The first tool message that answers no call of the message before it, and its place. */
export function findOrphan(messages: readonly JsonObject[]): { id: string; index: number } | null {
  let open = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") open = new Set(callsOf(message).map(({ id }) => id));
    const id = textOf(message.tool_call_id) ?? "";
    if (message.role === "tool" && !open.has(id)) return { id, index };
    if (message.role === "user" || message.role === "system") open = new Set();
  }
  return null;
}

/** The first message of an assistant without text and without calls; -1: there is none. */
export const findEmptyAnswer = (messages: readonly JsonObject[]): number =>
  messages.findIndex(
    (message) => message.role === "assistant" && isEmptyContent(message.content) && callsOf(message).length === 0,
  );

/** Whether a message with calls has both text and thinking, which the template of gpt-oss does not take. */
export const hasTextBesideThinking = (messages: readonly JsonObject[]): boolean =>
  messages.some(
    (message) =>
      callsOf(message).length > 0 &&
      !isEmptyContent(message.content) &&
      (textOf(message.reasoning_content) ?? textOf(message.reasoning)) !== undefined,
  );

/** The first message of an assistant with calls that lacks its thinking under this name. */
export const findThoughtless = (messages: readonly JsonObject[], name: string): number =>
  messages.findIndex((message) => callsOf(message).length > 0 && typeof message[name] !== "string");

/** The first name of a tool that does not match, with its place among the tools; a past call is at -1. */
export function findMisnamed(body: JsonObject, pattern: RegExp): { name: string; index: number } | null {
  for (const [index, { name, isFunction }] of toolsOf(body).entries())
    if (isFunction && !pattern.test(name)) return { name, index };
  const called = messagesOf(body)
    .flatMap(callsOf)
    .find(({ name }) => !pattern.test(name));
  return called ? { name: called.name, index: -1 } : null;
}

/** The first id that is not like `pattern`, of a call or of its answer. */
export function findWrongId(messages: readonly JsonObject[], pattern: RegExp): string | null {
  const ids = messages.flatMap((message) => [
    ...callsOf(message).map(({ id }) => id),
    ...(message.role === "tool" ? [textOf(message.tool_call_id) ?? ""] : []),
  ]);
  return ids.find((id) => !pattern.test(id)) ?? null;
}

/** The first field that is not among these. */
export const findUnknown = (body: JsonObject, known: ReadonlySet<string>): string | null =>
  Object.keys(body).find((key) => !known.has(key)) ?? null;
