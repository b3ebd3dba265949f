"use client";

import { useEffect, useState } from "react";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { CanvasError } from "@/app/_canvas/run-canvas/canvas-trouble";
import { RunCanvas, type RunCanvasProps } from "@/app/_canvas/run-canvas/run-canvas";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import type { RunFlow } from "@/lib/server/runs/read/queries";

type RunFlowCanvasProps = { runId: string } & Omit<RunCanvasProps, "source" | "layout">;

export function RunFlowCanvas(props: RunFlowCanvasProps) {
  const [attempt, setAttempt] = useState(0);
  return <Attempt key={`${props.runId} ${attempt}`} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function Attempt({ runId, onRetry, ...canvasProps }: RunFlowCanvasProps & { onRetry(): void }) {
  const [flow, setFlow] = useState<RunFlow | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    fetchJson<RunFlow>(`/api/v1/runs/${runId}/flow`, { signal: controller.signal }).then(setFlow, (error: unknown) => {
      if (!controller.signal.aborted) setProblem(messageOf(error));
    });
    return () => controller.abort();
  }, [runId]);
  if (flow) return <RunCanvas {...flow} {...canvasProps} />;
  if (problem === null) return <CanvasSkeleton />;
  return (
    <CanvasError title="The flow could not be loaded" onRetry={onRetry}>
      {problem}
    </CanvasError>
  );
}
