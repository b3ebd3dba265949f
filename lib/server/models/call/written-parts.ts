import "server-only";
import type { AssistantMessage, MessagePart, ToolCall, WrittenParts } from "@/lib/core/run/events/messages";
import type { JsonObject } from "../json";

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
  return parts.flatMap((part): MessagePiece[] => {
    if (part.type === "own") return [part];
    if (part.type === "text")
      return [{ type: "text", text: content.slice(part.start, part.start + part.length), phase: part.phase }];
    const { value: call } = calls.next();
    return call ? [{ type: "call", call }] : [];
  });
}

/** What goes back with an answer; undefined: its text and its calls are all of it. */
export function toWritten(writer: string, parts: readonly MessagePart[]): WrittenParts | undefined {
  const isPlain = parts.every((part) => part.type !== "own" && !(part.type === "text" && part.phase !== undefined));
  return isPlain ? undefined : { writer, parts: [...parts] };
}
