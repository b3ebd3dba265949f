import * as z from "zod/mini";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { type Message, messageSchema } from "@/lib/core/run/events/messages";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { RunSource } from "../../_run/steps/run-source";
import { FullText } from "../text/full-text";
import { LongText } from "../text/long-text";
import { TextBlock } from "../text/text-block";
import { ToolCalls } from "./tool-calls";

const messagesSchema = z.array(messageSchema);

const roleStyles: Record<Message["role"], { word: string; color: string }> = {
  system: { word: "Instructions", color: "var(--text-muted)" },
  user: { word: "User", color: "var(--accent)" },
  assistant: { word: "Assistant", color: "var(--success)" },
  tool: { word: "Tool result", color: "var(--warning)" },
};

export function NodeMessages({ source, node }: { source: RunSource; node: RunNode }) {
  const textRef = { source, id: node.id, field: "input" } as const;
  return (
    <FullText textRef={textRef} payload={node.input} title="The conversation">
      {(text) => {
        const messages = readMessages(text);
        return messages ? (
          <Turns messages={messages} />
        ) : (
          <TextBlock textRef={textRef} payload={{ text }} as="json" empty="No messages." label="Messages sent" />
        );
      }}
    </FullText>
  );
}

function Turns({ messages }: { messages: readonly Message[] }) {
  return (
    <ol className="flex flex-col gap-3 p-4">
      {Array.from(messages.entries(), ([index, message]) => {
        const { word, color } = roleStyles[message.role];
        return (
          <li key={index} className="border-l-2 pl-3" style={{ borderColor: color }}>
            <p className="font-medium text-text-muted text-xs">
              {word}
              {message.role === "tool" ? ` of ${message.name}${message.isError ? " (error)" : ""}` : ""}
            </p>
            {message.content !== "" && <LongText text={message.content} label={`${word}, whole`} />}
            {message.role === "assistant" && message.toolCalls && <ToolCalls calls={message.toolCalls} />}
          </li>
        );
      })}
    </ol>
  );
}

/** The messages of a model call as they were recorded; null: the text is none. */
export const readMessages = (text: string): Message[] | null => findJsonAs(text, messagesSchema);
