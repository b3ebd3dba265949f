"use client";
import { useEffect, useState } from "react";
import type { RunStatus } from "@/lib/core/run/events/events";
import type { StepDetail } from "@/lib/core/trace/model/run-state";
import { messageOf } from "../../_ui/loading/fetch-json";
import type { RunSource } from "./run-source";

interface StepState {
  id: number;
  status: RunStatus;
  endedAt?: number | undefined;
  version: number;
}

export interface LoadedStep {
  /** Null until it is loaded. While it is loaded again: the previous version. */
  step: StepDetail | null;
  problem: string | null;
  retry(): void;
}

/** A step, loaded when it is selected, when it ends, and when its version changes. */
export function useStep(source: RunSource, { id, status, endedAt, version }: StepState): LoadedStep {
  const [loaded, setLoaded] = useState<{ key: string; step: StepDetail } | null>(null);
  const [failed, setFailed] = useState<{ key: string; problem: string } | null>(null);
  const [attempt, setAttempt] = useState(0);
  const key = [source.runId, id, status, endedAt, version, attempt].join(" ");
  useEffect(() => {
    const controller = new AbortController();
    source.node(id, controller.signal).then(
      (step) => setLoaded({ key, step }),
      (error: unknown) => {
        if (!controller.signal.aborted) setFailed({ key, problem: messageOf(error) });
      },
    );
    return () => controller.abort();
  }, [source, id, key]);
  return {
    step: loaded?.step.id === id ? loaded.step : null,
    problem: failed?.key === key ? failed.problem : null,
    retry: () => setAttempt(attempt + 1),
  };
}
