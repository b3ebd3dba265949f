"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import type { Payload } from "@/lib/core/run/events";
import { Button } from "../_ui/button";
import { CopyButton } from "../_ui/copy-button";
import { formatLength } from "../_ui/format";
import { Markdown } from "../_ui/markdown";

interface TextBlockProps {
  payload: Payload;
  as: "markdown" | "json" | "text";
  /** What to say when there is nothing. */
  empty: string;
  /** Of the file when it is downloaded. */
  name: string;
  caption?: string;
}

/** Longest text that is drawn unasked. */
const shownAtOnce = 100_000;

/** A text of a run, shown safely whatever is in it. */
export function TextBlock({ payload, as, empty, name, caption }: TextBlockProps) {
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const text = as === "json" ? prettyJson(payload.text) : payload.text;
  if (text === "") return <p className="p-4 text-text-muted">{empty}</p>;
  const shown = all ? text : text.slice(0, shownAtOnce);
  const download = (): void => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([payload.text], { type: "text/plain" }));
    link.download = `${name}.txt`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return (
    <div className="p-4">
      <div className="mb-2 flex items-center gap-1">
        <span className="min-w-0 truncate font-mono text-text-muted text-xs">{caption}</span>
        <span className="ml-auto" />
        {as === "markdown" && (
          <Button size="small" variant="ghost" aria-pressed={raw} onClick={() => setRaw(!raw)}>
            {raw ? "Formatted" : "Raw"}
          </Button>
        )}
        <CopyButton text={payload.text} />
      </div>
      {as === "markdown" && !raw ? (
        <Markdown text={shown} />
      ) : (
        <pre className="whitespace-pre-wrap font-mono text-xs leading-5 [overflow-wrap:anywhere]">{shown}</pre>
      )}
      {(shown.length < text.length || payload.length !== undefined) && (
        <div className="mt-3 flex flex-wrap items-center gap-2 text-text-muted">
          {formatLength(payload.length ?? text.length)} in all.
          {shown.length < text.length && (
            <Button size="small" onClick={() => setAll(true)}>
              Show all
            </Button>
          )}
          <Button size="small" onClick={download}>
            <Download size={14} aria-hidden /> Download
          </Button>
        </div>
      )}
    </div>
  );
}

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
