"use client";

import dynamic from "next/dynamic";
import type { FlowPictureProps } from "@/app/_canvas/flow-picture/flow-picture";
import { loadPart } from "@/app/_ui/loading/load-part";
import { CanvasBoundary } from "./canvas-boundary";
import { CanvasSkeleton } from "./canvas-skeleton";

const FlowPicture = dynamic(() => loadPart(() => import("@/app/_canvas/flow-picture/flow-picture")), {
  ssr: false,
  loading: () => <CanvasSkeleton />,
});

export type RunCanvasProps = Omit<FlowPictureProps, "label">;

export function RunCanvas(props: RunCanvasProps) {
  return (
    <CanvasBoundary>
      <FlowPicture {...props} label="Canvas of this run" />
    </CanvasBoundary>
  );
}
