"use client";

import { useEffect } from "react";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import type { Flow, Json } from "@/lib/core/flow/flow";
import { keyOfPath, type NodeKey } from "@/lib/core/flow/node-key";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { useSession, useView } from "../../../state/session-context";

/** The run that was shown last, or else the flow's newest, read when something is first tried on it. */
export function useLastRun(): RunState | null {
  const { seed, view } = useSession();
  const displayedRun = useView(({ lastRun }) => lastRun);
  useEffect(() => {
    if (displayedRun || seed.lastRun === null) return;
    fetchJson<{ state: RunState }>(`/api/v1/runs/${seed.lastRun}`).then(
      ({ state }) => view.setState(({ lastRun }) => ({ lastRun: lastRun ?? state })),
      // Without a run there is nothing to try anything on; the hints say how to get one.
      () => undefined,
    );
  }, [displayedRun, seed, view]);
  return displayedRun;
}

/** What the place `key` saw in a run: its own input, and what every step said last. */
export function toRunScope(flow: Flow, run: RunState, key: NodeKey) {
  const node = run.nodes.findLast(({ path }) => keyOfPath(path) === key);
  const outputs = new Map<string, Json>();
  for (const { status, name, output, metadata } of run.nodes)
    if (status === "SUCCESS") outputs.set(name, metadata.value ?? output.text);
  return { input: (node?.input ?? run.input).text, outputs, vars: flow.vars, round: 1 };
}

/** The newest answer of the agent at `key`, as it was written; null: it has not answered, or too much to keep here. */
export function findLastAnswer({ nodes }: RunState, key: NodeKey): string | null {
  const last = nodes.findLast(
    ({ kind, path, status }) => kind === "agent" && keyOfPath(path) === key && status !== "RUNNING",
  );
  if (!last || last.output.length !== undefined || last.output.text === "") return null;
  return last.output.text;
}
