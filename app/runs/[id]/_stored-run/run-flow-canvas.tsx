"use client";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { CanvasError } from "@/app/_canvas/run-canvas/canvas-trouble";
import { RunCanvas, type RunCanvasProps } from "@/app/_canvas/run-canvas/run-canvas";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import type { RunFlow } from "@/lib/server/runs/read/queries";

type RunFlowCanvasProps = { runId: string } & Omit<RunCanvasProps, "source" | "layout">;

export function RunFlowCanvas({ runId, ...canvasProps }: RunFlowCanvasProps) {
  const {
    value: flow,
    problem,
    retry,
  } = useLoaded({ key: runId }, (signal) => fetchJson<RunFlow>(`/api/v1/runs/${runId}/flow`, { signal }));
  if (flow) return <RunCanvas {...flow} {...canvasProps} />;
  if (problem === null) return <CanvasSkeleton />;
  return (
    <CanvasError title="The flow could not be loaded" onRetry={retry}>
      {problem}
    </CanvasError>
  );
}
