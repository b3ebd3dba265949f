import * as z from "zod/mini";
import type { Payload } from "@/lib/core/run/events";
import { type Message, messageSchema } from "@/lib/core/run/messages";
import { TextBlock } from "./text-block";
import { ToolCalls } from "./tool-calls";

const messagesSchema = z.array(messageSchema);

const roleLooks: Record<Message["role"], { word: string; color: string }> = {
  system: { word: "Instructions", color: "var(--text-muted)" },
  user: { word: "User", color: "var(--accent)" },
  assistant: { word: "Assistant", color: "var(--success)" },
  tool: { word: "Tool result", color: "var(--warning)" },
};

/** The conversation that a model was given, turn by turn. */
export function NodeMessages({ payload }: { payload: Payload }) {
  const messages = readMessages(payload.text);
  if (!messages) return <TextBlock payload={payload} as="json" empty="No messages." name="messages" />;
  return (
    <ol className="flex flex-col gap-3 p-4">
      {Array.from(messages.entries(), ([place, message]) => (
        <li key={place} className="border-l-2 pl-3" style={{ borderColor: roleLooks[message.role].color }}>
          <p className="font-medium text-text-muted text-xs">
            {roleLooks[message.role].word}
            {message.role === "tool" ? ` of ${message.name}${message.isError ? " (error)" : ""}` : ""}
          </p>
          {message.content !== "" && <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{message.content}</p>}
          {message.role === "assistant" && message.toolCalls && <ToolCalls calls={message.toolCalls} />}
        </li>
      ))}
    </ol>
  );
}

function readMessages(text: string): Message[] | null {
  try {
    return messagesSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
