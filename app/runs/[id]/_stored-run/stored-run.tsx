"use client";
import { NuqsAdapter } from "nuqs/adapters/next/app";
import { useState } from "react";
import type { RunInfo } from "@/app/_run-view/run-header";
import { RunView } from "@/app/_run-view/run-view";
import { createServerRunSource } from "@/app/_run-view/source/server-run-source";
import { createServerTrace } from "@/app/_run-view/source/trace-source";
import { serverTurns } from "@/app/_run-view/source/turn-source";
import type { CanvasProps } from "@/app/_run-view/timeline/canvas-view";
import type { TraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import { RunFlowCanvas } from "./run-flow-canvas";

interface StoredRunProps {
  run: RunInfo;
  structure: TraceSnapshot | null;
  previous: string | null;
  next: string | null;
}

export function StoredRun({ run, structure, previous, next }: StoredRunProps) {
  const [sources] = useState(() => ({
    traces: createServerTrace(run.id, structure),
    steps: createServerRunSource(run.id),
  }));
  const [views] = useState(() => ({
    canvas: (props: CanvasProps) => <RunFlowCanvas runId={run.id} {...props} />,
    turns: serverTurns(run.id),
  }));
  return (
    <NuqsAdapter>
      <RunView run={run} sources={{ ...sources, structure }} neighbours={{ previous, next }} views={views} />
    </NuqsAdapter>
  );
}
