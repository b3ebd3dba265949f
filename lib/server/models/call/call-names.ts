import "server-only";
import { createHash } from "node:crypto";
import type { Message, ToolCall } from "@/lib/core/run/events/messages";

/** How long a tool's name may be, and what it may consist of: the strictest of the providers. */
const longestName = 64;
const unusual = /[^a-zA-Z0-9_-]/g;

/** Nine letters and digits are an id for every provider. */
const toPlainId = (id: string, number: number): string =>
  createHash("sha256").update(`${id} ${number}`).digest("hex").slice(0, 9);

const toPlainName = (name: string): string => name.replaceAll(unusual, "_").slice(0, longestName) || "unnamed";

/**
 * The same conversation with ids and names of tool calls that a provider takes: another model may have made them up. `isId`
 * tells its ids. An id is used once in a conversation; results of calls with one id belong to them in their order. What is right
 * already stays the same object.
 */
export function withPlainCalls(messages: readonly Message[], isId: RegExp): readonly Message[] {
  const used = new Set<string>();
  let open = new Map<string, string[]>();
  const toPlainCall = (call: ToolCall): ToolCall => {
    let id = call.id;
    for (let number = 1; !isId.test(id) || used.has(id); number++) id = toPlainId(call.id, used.size + number);
    used.add(id);
    open.set(call.id, [...(open.get(call.id) ?? []), id]);
    const name = toPlainName(call.name);
    return id === call.id && name === call.name ? call : { ...call, id, name };
  };
  return messages.map((message): Message => {
    if (message.role === "tool") {
      const ids = open.get(message.toolCallId) ?? [message.toolCallId];
      const [id = message.toolCallId, name] = [ids.length > 1 ? ids.shift() : ids[0], toPlainName(message.name)];
      return id === message.toolCallId && name === message.name ? message : { ...message, toolCallId: id, name };
    }
    if (message.role !== "assistant" || !message.toolCalls?.length) return message;
    open = new Map();
    const toolCalls = message.toolCalls.map(toPlainCall);
    return toolCalls.every((call, index) => call === message.toolCalls?.[index]) ? message : { ...message, toolCalls };
  });
}
