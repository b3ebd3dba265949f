"use client";

import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { CanvasError } from "@/app/_canvas/run-canvas/canvas-trouble";
import { RunCanvas, type RunCanvasProps } from "@/app/_canvas/run-canvas/run-canvas";
import { fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import { layoutSchema } from "@/lib/core/flow/edit";
import type { RunFlow } from "@/lib/server/runs/read/queries";

const runFlowSchema: z.ZodMiniType<RunFlow> = z.object({ source: z.string(), layout: layoutSchema });

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
    fetchJson(`/api/v1/runs/${runId}/flow`, runFlowSchema, { signal: controller.signal }).then(
      setFlow,
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      },
    );
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
