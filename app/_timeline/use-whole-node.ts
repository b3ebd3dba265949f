"use client";
import { useEffect, useState } from "react";
import type { RunNode } from "@/lib/core/trace/run-state";
import type { RunNodeDetail } from "@/lib/server/runs/queries";
import { fetchJson, messageOf } from "../_ui/fetch-json";

/** The node with its large texts whole, once they are here; until then, and while it runs, the node as it is known. */
export function useWholeNode(runId: string, node: RunNode): { shown: RunNode; problem: string | null } {
  const [whole, setWhole] = useState<RunNode | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isCut = [node.input, node.output, node.request?.body].some((payload) => payload?.length !== undefined);
  const { id, endedAt } = node;
  useEffect(() => {
    if (!isCut) return;
    const controller = new AbortController();
    fetchJson<RunNodeDetail>(`/api/v1/runs/${runId}/nodes/${id}`, {
      signal: controller.signal,
      cache: "no-store",
    }).then(
      (found) => setWhole({ ...found, endedAt }),
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => controller.abort();
  }, [runId, id, isCut, endedAt]);
  const isCurrent = whole !== null && whole.id === id && whole.endedAt === endedAt;
  if (!isCurrent) return { shown: node, problem };
  // While it runs, its answer grows here and not there.
  return {
    shown: endedAt === undefined ? { ...whole, output: node.output, reasoning: node.reasoning } : whole,
    problem,
  };
}
