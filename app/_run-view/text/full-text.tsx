import type { ReactNode } from "react";
import type { Payload } from "@/lib/core/run/events/events";
import { Button } from "../../_ui/controls/button";
import { formatLength } from "../../_ui/format/format";
import { TextLines } from "./text-lines";
import { type StepTextRef, useText } from "./use-text";

interface FullTextProps {
  textRef: StepTextRef;
  payload: Payload;
  title: string;
  children(text: string): ReactNode;
}

/** Longest text that is loaded unasked because all of it is needed, in UTF-16 units. */
const loadedUnasked = 2_000_000;

export function FullText({ textRef, payload, title, children }: FullTextProps) {
  const { text, isComplete: isWhole, length, isLoading, problem, load } = useText(textRef, payload, loadedUnasked);
  if (isWhole) return children(text);
  if (isLoading && length <= loadedUnasked) return <TextLines />;
  return (
    <div className="flex flex-col items-start gap-2 p-4 text-text-muted">
      {problem === null ? (
        <p>
          {title} has {formatLength(length)}.
        </p>
      ) : (
        <p role="alert" className="text-danger">
          {title} could not be loaded: {problem}
        </p>
      )}
      <Button size="small" pending={isLoading} onClick={load}>
        {problem === null ? "Load it" : "Try again"}
      </Button>
    </div>
  );
}
