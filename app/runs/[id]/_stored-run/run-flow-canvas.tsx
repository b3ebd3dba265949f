"use client";

import { useEffect, useState } from "react";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import type { RunFlow } from "@/lib/server/runs/read/queries";
import { CanvasSkeleton } from "../../../_canvas/run-canvas/canvas-skeleton";
import { CanvasTrouble } from "../../../_canvas/run-canvas/canvas-trouble";
import { RunCanvas, type RunCanvasProps } from "../../../_canvas/run-canvas/run-canvas";

type RunFlowCanvasProps = { runId: string } & Omit<RunCanvasProps, "source" | "layout">;

/** The canvas of a stored run. What was run is asked for once this is mounted. */
export function RunFlowCanvas(props: RunFlowCanvasProps) {
  const [attempt, setAttempt] = useState(0);
  return <Attempt key={`${props.runId} ${attempt}`} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function Attempt({ runId, onRetry, ...shown }: RunFlowCanvasProps & { onRetry(): void }) {
  const [flow, setFlow] = useState<RunFlow | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    fetchJson<RunFlow>(`/api/v1/runs/${runId}/flow`, { signal: controller.signal }).then(setFlow, (error: unknown) => {
      if (!controller.signal.aborted) setProblem(messageOf(error));
    });
    return () => controller.abort();
  }, [runId]);
  if (flow) return <RunCanvas {...flow} {...shown} />;
  if (problem === null) return <CanvasSkeleton />;
  return (
    <CanvasTrouble title="The flow could not be loaded" onRetry={onRetry}>
      {problem}
    </CanvasTrouble>
  );
}
