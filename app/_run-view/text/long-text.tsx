import { useState } from "react";
import { Button } from "../../_ui/controls/button";
import { formatLength } from "../../_ui/format/format";
import { PlainText } from "./plain-text";
import { longestDrawn } from "./text-block";
import { TextViewer } from "./text-viewer";

/** How much of a text between others is drawn unasked, in UTF-16 units. */
const preview = 8000;

export function LongText({ text, label }: { text: string; label: string }) {
  const [all, setAll] = useState(false);
  if (all && text.length > longestDrawn)
    return (
      <div className="flex h-96 flex-col">
        <TextViewer text={text} label={label} />
      </div>
    );
  const visibleText = all ? text : text.slice(0, preview);
  return (
    <>
      <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">
        <PlainText text={visibleText} />
      </p>
      {visibleText.length < text.length && (
        <Button size="small" className="mt-1" onClick={() => setAll(true)}>
          Show all {formatLength(text.length)}
        </Button>
      )}
    </>
  );
}
