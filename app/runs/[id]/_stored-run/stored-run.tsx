"use client";
import dynamic from "next/dynamic";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState } from "react";
import { CanvasSkeleton } from "@/app/_canvas/run-canvas/canvas-skeleton";
import { createServerTrace } from "@/app/_run/follow/trace-source";
import { createServerRunSource } from "@/app/_run/steps/run-source";
import type { RunInfo } from "@/app/_run-view/run-header";
import { RunView } from "@/app/_run-view/run-view";
import { serverTurns } from "@/app/_run-view/source/turn-source";
import type { CanvasProps } from "@/app/_run-view/timeline/canvas-view";
import { loadPart } from "@/app/_ui/loading/load-part";
import { fromTraceSnapshot, type TraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";

const RunFlowCanvas = dynamic(() => loadPart(() => import("./run-flow-canvas")), {
  ssr: false,
  loading: () => <CanvasSkeleton />,
});

interface StoredRunProps {
  run: RunInfo;
  structure: TraceSnapshot | null;
  previous: string | null;
  next: string | null;
}

export function StoredRun({ run, structure, previous, next }: StoredRunProps) {
  const [sources] = useState(() => ({
    traces: createServerTrace(run.id, structure && fromTraceSnapshot(structure)),
    steps: createServerRunSource(run.id),
    turns: serverTurns(run.id),
    flowId: run.flowId,
    canvas: (props: CanvasProps) => <RunFlowCanvas runId={run.id} {...props} />,
  }));
  return (
    <NuqsAdapter>
      <RunView run={run} sources={sources} neighbours={{ previous, next }} />
    </NuqsAdapter>
  );
}
