"use client";
import { useEffect, useState } from "react";
import type { Payload } from "@/lib/core/run/events/events";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import type { RunSource } from "../../_run/steps/run-source";
import { messageOf } from "../../_ui/loading/fetch-json";

export interface StepTextRef {
  source: RunSource;
  id: number;
  field: TextField;
}

export interface LoadedText {
  text: string;
  isComplete: boolean;
  /** Of the full text, in UTF-16 units. */
  length: number;
  isLoading: boolean;
  problem: string | null;
  load(): void;
}

export function useText({ source, id, field }: StepTextRef, { text, length }: Payload, atOnce: number): LoadedText {
  const [fullText, setFullText] = useState<{ key: string; text: string } | null>(null);
  const [failed, setFailed] = useState<{ key: string; problem: string } | null>(null);
  const [attempts, setAttempts] = useState(0);
  const key = [source.runId, id, field, length, attempts].join(" ");
  const isWhole = length === undefined || fullText?.key === key;
  const isRequested = !isWhole && (attempts > 0 || length <= atOnce);
  useEffect(() => {
    if (!isRequested) return;
    const controller = new AbortController();
    source.text(id, field, controller.signal).then(
      (loadedText) => setFullText({ key, text: loadedText }),
      (error: unknown) => {
        if (!controller.signal.aborted) setFailed({ key, problem: messageOf(error) });
      },
    );
    return () => controller.abort();
  }, [source, id, field, key, isRequested]);
  const problem = !isWhole && failed?.key === key ? failed.problem : null;
  return {
    text: fullText?.key === key && length !== undefined ? fullText.text : text,
    isComplete: isWhole,
    length: length ?? text.length,
    isLoading: isRequested && problem === null,
    problem,
    load: () => setAttempts(attempts + 1),
  };
}
