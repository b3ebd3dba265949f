import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { formatLength } from "../../_ui/format/format";
import { LazyMarkdown } from "../../_ui/text/lazy-markdown";
import { prettyJson } from "../../_ui/text/pretty-json";

export function TurnText({ turn }: { turn: ConversationEntry }) {
  const { type, text, length } = turn;
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
      ) : (
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
      )}
      {length !== undefined && (
        <p className="mt-1 text-text-muted text-xs">… {formatLength(length)} in total; open the step for the rest.</p>
      )}
    </>
  );
}
