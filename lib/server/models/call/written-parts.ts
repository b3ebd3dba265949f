import "server-only";
import type { DroppedParameter } from "@/lib/core/run/events/events";
import type { AssistantMessage, Message, MessagePart, ToolCall, WrittenParts } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import type { JsonObject } from "../json";
import type { ProviderRefusal } from "./failure";
import { quoteRefusal } from "./refusal";

/** A piece of a message on its way back to its model. */
export type MessagePiece =
  | { type: "text"; text: string; phase?: string | undefined }
  | { type: "call"; call: ToolCall }
  | { type: "own"; value: JsonObject };

/** The name of a model in `written`. */
export const toWriter = (provider: string, model: string): string => `${provider}:${model}`;

/**
 * A message in pieces, for the model `writer`: with its reasoning, in its order, where it wrote it itself and nothing of it was
 * changed since. Else its text, then its calls.
 */
export function toPieces({ content, toolCalls = [], written }: AssistantMessage, writer: string): MessagePiece[] {
  const parts = written?.writer === writer ? written.parts : [];
  if (parts.length > 0 && isWhole(parts, content, toolCalls)) return join(parts, content, toolCalls);
  return [
    ...(content === "" ? [] : [{ type: "text" as const, text: content }]),
    ...toolCalls.map((call) => ({ type: "call" as const, call })),
  ];
}

function isWhole(parts: readonly MessagePart[], content: string, calls: readonly ToolCall[]): boolean {
  let [end, callCount] = [0, 0];
  for (const part of parts) {
    if (part.type === "call") callCount++;
    if (part.type !== "text") continue;
    if (part.start < end || content.slice(end, part.start).trim() !== "") return false;
    end = part.start + part.length;
  }
  return callCount === calls.length && end <= content.length && content.slice(end).trim() === "";
}

function join(parts: readonly MessagePart[], content: string, toolCalls: readonly ToolCall[]): MessagePiece[] {
  const calls = toolCalls.values();
  const end = parts.findLastIndex((part) => part.type === "call" || (part.type === "text" && part.length > 0));
  // Reasoning that nothing follows is refused: the answer was cut off there.
  return parts.slice(0, end + 1).flatMap((part): MessagePiece[] => {
    if (part.type === "own") return [part];
    if (part.type === "text")
      return [{ type: "text", text: content.slice(part.start, part.start + part.length), phase: part.phase }];
    const { value: call } = calls.next();
    return call ? [{ type: "call", call }] : [];
  });
}

/** The request without anything that only the model itself reads, of which its provider refuses some. Null: it has no such thing. */
export function withoutOwnParts(request: ModelRequest): ModelRequest | null {
  const messages = request.messages.map(withoutWritten);
  return messages.every((message, index) => message === request.messages[index]) ? null : { ...request, messages };
}

/** The message without what only its model reads; the same object where there is no such thing. */
export function withoutWritten(message: Message): Message {
  if (message.role !== "assistant" || message.written === undefined) return message;
  const { written: _, ...plain } = message;
  return plain;
}

/** What the records of a request call its reasoning from earlier steps, and why it was left out. */
export const toOwnPartsDropped = (refusal: Pick<ProviderRefusal, "message">): DroppedParameter => ({
  parameter: "reasoning",
  reason: `The provider refused the reasoning of earlier steps, so it was asked without it. ${quoteRefusal(refusal)}`,
});

/** What goes back with an answer; undefined: its text and its calls are all of it. */
export function toWritten(writer: string, parts: readonly MessagePart[]): WrittenParts | undefined {
  const isPlain = parts.every((part) => part.type !== "own" && !(part.type === "text" && part.phase !== undefined));
  return isPlain ? undefined : { writer, parts: [...parts] };
}
