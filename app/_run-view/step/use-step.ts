"use client";
import type { RunStatus } from "@/lib/core/run/events/events";
import { useLoaded } from "../../_ui/loading/use-loaded";
import type { RunSource } from "../source/run-source";

interface StepState {
  id: number;
  status: RunStatus;
  endedAt?: number | undefined;
  version: number;
}

/**
 * A step, loaded when it is selected, when it ends, and when its version changes. Null until it is loaded; while it is
 * loaded again: the previous version.
 */
export function useStep(source: RunSource, { id, status, endedAt, version }: StepState) {
  const key = [source.runId, id, status, endedAt, version].join(" ");
  const { value: step, problem, retry } = useLoaded({ key }, (signal) => source.node(id, signal));
  return { step: step?.id === id ? step : null, problem, retry };
}
