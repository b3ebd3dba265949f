import * as z from "zod/mini";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { CanvasError, RunCanvas, type RunCanvasProps } from "@/app/_canvas/run-canvas/run-canvas";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { layoutSchema } from "@/lib/core/flow/schemas/layout-schema";
import type { RunFlow } from "@/lib/server/runs/read/queries";

const runFlowSchema: z.ZodMiniType<RunFlow> = z.object({ source: z.string(), layout: layoutSchema });

type RunFlowCanvasProps = { runId: string } & Omit<RunCanvasProps, "source" | "layout">;

export default function RunFlowCanvas({ runId, ...canvasProps }: RunFlowCanvasProps) {
  const request = useLoaded({ key: runId }, (signal) =>
    fetchJson(`/api/v1/runs/${runId}/flow`, runFlowSchema, { signal }),
  );
  if (request.value) return <RunCanvas {...request.value} {...canvasProps} />;
  if (request.problem === null) return <CanvasSkeleton />;
  return (
    <CanvasError title="The flow could not be loaded" onRetry={request.retry}>
      {request.problem}
    </CanvasError>
  );
}
