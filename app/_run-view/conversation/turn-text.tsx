import { useState } from "react";
import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { formatLength } from "../../_ui/format/format";
import { LazyMarkdown } from "../../_ui/text/lazy-markdown";
import { prettyJson } from "../../_ui/text/pretty-json";

interface TurnTextProps {
  turn: ConversationEntry;
  /** The earlier turn that has the same text. */
  repeats: string | undefined;
}

export function TurnText({ turn, repeats }: TurnTextProps) {
  const [isOpen, setOpen] = useState(false);
  const { type, text, length } = turn;
  if (repeats !== undefined && !isOpen)
    return (
      <p className="flex flex-wrap items-center gap-x-2 text-text-muted">
        The same text as {repeats}.
        <button type="button" className="min-h-6 text-accent-text hover:underline" onClick={() => setOpen(true)}>
          Show it
        </button>
      </p>
    );
  const json = /^\s*[[{]/.test(text) ? prettyJson(text) : null;
  const isCode = json !== null || type === "call" || type === "result";
  return (
    <>
      {text === "" ? (
        <p className="text-text-muted">Empty.</p>
      ) : isCode ? (
        <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">{json ?? text}</pre>
      ) : type === "answer" ? (
        <LazyMarkdown text={text} />
      ) : type === "given" ? (
        <LazyMarkdown text={keepLines(text)} />
      ) : (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      )}
      {length !== undefined && (
        <p className="mt-1 text-text-muted text-xs">… {formatLength(length)} in total; open the step for the rest.</p>
      )}
    </>
  );
}

/** Tasks are often typed: Markdown would join their lines. */
const keepLines = (text: string): string => text.replaceAll(/(?<!\n)\n(?!\n)/g, "  \n");
