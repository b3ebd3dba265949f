import { Download, WrapText } from "lucide-react";
import { useState } from "react";
import type { Payload } from "@/lib/core/run/events/events";
import { Button } from "../../_ui/controls/button";
import { CopyButton } from "../../_ui/controls/copy-button";
import { formatLength } from "../../_ui/format/format";
import { LazyMarkdown } from "../../_ui/text/lazy-markdown";
import { prettyJson } from "../../_ui/text/pretty-json";
import { JsonText, PlainText } from "./plain-text";
import { TextViewer } from "./text-viewer";
import { type LoadedText, type StepTextRef, useText } from "./use-text";

export type TextForm = "markdown" | "json" | "text";

interface TextBlockProps {
  textRef: StepTextRef;
  payload: Payload;
  as: TextForm;
  empty: string;
  label: string;
  caption?: string;
}

/** Longest text that is drawn in its form, in UTF-16 units; longer ones are drawn as far as they are in view. */
export const longestDrawn = 100_000;
const preview = 16_384;

export function TextBlock({ textRef, payload, as, empty, label, caption = "" }: TextBlockProps) {
  const loaded = useText(textRef, payload, longestDrawn);
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const { text, isComplete: isWhole, length } = loaded;
  if (text === "") return <p className="p-4 text-text-muted">{empty}</p>;
  const isLarge = length > longestDrawn;
  const showAll = (): void => {
    setAll(true);
    if (!isWhole) loaded.load();
  };
  if (isLarge && all && isWhole)
    return (
      <div className="flex h-full min-h-80 flex-col">
        <Tools text={text} textRef={textRef} caption={`${formatLength(length)} in total`}>
          <Button size="small" variant="ghost" onClick={() => setAll(false)}>
            <WrapText size={14} aria-hidden /> Show the beginning
          </Button>
        </Tools>
        <TextViewer text={text} label={`${label}, whole`} />
      </div>
    );
  const visibleText = isLarge ? text.slice(0, preview) : text;
  return (
    <div>
      <Tools text={isWhole ? text : null} textRef={textRef} caption={caption}>
        {as === "markdown" && (
          <Button size="small" variant="ghost" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {raw ? "Formatted" : "Raw"}
          </Button>
        )}
      </Tools>
      <div className="px-4 pb-4">
        <FormedText text={visibleText} as={raw ? "text" : as} />
        {(isLarge || !isWhole) && <Rest loaded={loaded} shown={visibleText.length} onShowAll={showAll} />}
      </div>
    </div>
  );
}

interface ToolsProps {
  /** What can be copied; null: the text is incomplete. */
  text: string | null;
  textRef: StepTextRef;
  caption: string;
  children?: React.ReactNode;
}

function Tools({ text, textRef: { source, id, field }, caption, children }: ToolsProps) {
  return (
    <div className="flex items-center gap-1 px-4 py-2">
      <span className="min-w-0 truncate font-mono text-text-muted text-xs">{caption}</span>
      <span className="ml-auto" />
      {children}
      {text !== null && <CopyButton text={text} />}
      <Button size="small" variant="ghost" onClick={() => source.download(id, field)}>
        <Download size={14} aria-hidden /> Download
      </Button>
    </div>
  );
}

function Rest({ loaded, shown: visibleLength, onShowAll }: { loaded: LoadedText; shown: number; onShowAll(): void }) {
  const { length, isLoading, problem } = loaded;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2 text-text-muted">
      <span>
        The first {formatLength(visibleLength)} of {formatLength(length)}.
      </span>
      <Button size="small" pending={isLoading} onClick={onShowAll}>
        {problem === null ? "Load all" : "Try again"}
      </Button>
      {problem !== null && (
        <span role="alert" className="text-danger">
          The rest could not be loaded: {problem}
        </span>
      )}
    </div>
  );
}

/** Longest JSON that is set out in lines, in UTF-16 units. */
const longestPretty = 1_000_000;

export function FormedText({ text, as }: { text: string; as: TextForm }) {
  if (as === "markdown") return <LazyMarkdown text={text} />;
  return (
    <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">
      {as === "json" ? (
        <JsonText text={(text.length <= longestPretty && prettyJson(text)) || text} />
      ) : (
        <PlainText text={text} />
      )}
    </pre>
  );
}
