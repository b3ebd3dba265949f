import { useState } from "react";
import type { Payload } from "@/lib/core/run/events/events";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import type { RunSource } from "../../_run/steps/run-source";
import { useLoaded } from "../../_ui/loading/use-loaded";

export interface StepTextRef {
  source: RunSource;
  id: number;
  field: TextField;
}

/** The text of a step; `length`: of the full text, in UTF-16 units. A text up to `atOnce` is loaded without `load`. */
export function useText({ source, id, field }: StepTextRef, { text, length }: Payload, atOnce: number) {
  const [isWanted, setWanted] = useState(false);
  const isRequested = length !== undefined && (isWanted || length <= atOnce);
  const key = isRequested ? [source.runId, id, field, length].join(" ") : null;
  const { value: fullText, isCurrent, problem, retry } = useLoaded({ key }, (signal) => source.text(id, field, signal));
  return {
    text: isCurrent && fullText !== null ? fullText : text,
    isComplete: length === undefined || isCurrent,
    length: length ?? text.length,
    isLoading: isRequested && !isCurrent && problem === null,
    problem,
    load(): void {
      setWanted(true);
      if (problem !== null) retry();
    },
  };
}

export type LoadedText = ReturnType<typeof useText>;
