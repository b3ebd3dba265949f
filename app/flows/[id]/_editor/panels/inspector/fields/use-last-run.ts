import { useEffect } from "react";
import * as z from "zod/mini";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import type { Flow, Json } from "@/lib/core/flow/flow";
import { keyOfPath, type NodeKey } from "@/lib/core/flow/node-key";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { runStateSchema } from "@/lib/core/trace/model/run-state";
import { useSession, useView } from "../../../state/session-context";
import type { LatestRun } from "../../../state/view";

const answerSchema = z.object({ state: runStateSchema });

/** Loads the last run of the flow; null: there is none. */
export function useLastRun(): LatestRun | null {
  const { view } = useSession();
  const run = useView(({ lastRun }) => lastRun);
  useEffect(() => {
    if (!run || run.state) return;
    fetchJson(`/api/v1/runs/${run.id}`, answerSchema).then(
      ({ state }) => view.setState(({ lastRun }) => ({ lastRun: lastRun === run ? { id: run.id, state } : lastRun })),
      // Without a run nothing can be evaluated; the hints explain how to get one.
      () => undefined,
    );
  }, [run, view]);
  return run;
}

/** The input of the node, and the last output of every step. */
export function toRunScope(flow: Flow, run: RunState, key: NodeKey) {
  const node = run.nodes.findLast(({ path }) => keyOfPath(path) === key);
  const outputs = new Map<string, Json>();
  for (const { status, name, output, metadata } of run.nodes)
    if (status === "SUCCESS") outputs.set(name, metadata.value ?? output.text);
  return { input: (node?.input ?? run.input).text, outputs, vars: flow.vars, round: 1 };
}

/** Null when the agent has no answer, or one too long to be kept here. */
export function findLastAnswer({ nodes }: RunState, key: NodeKey): string | null {
  const last = nodes.findLast(
    ({ kind, path, status }) => isAgentKind(kind) && keyOfPath(path) === key && status !== "RUNNING",
  );
  if (!last || last.output.length !== undefined || last.output.text === "") return null;
  return last.output.text;
}
