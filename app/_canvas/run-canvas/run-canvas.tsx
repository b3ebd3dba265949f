import dynamic from "next/dynamic";
import { catchError, type ErrorInfo } from "next/error";
import type { ComponentProps } from "react";
import type { FlowPictureProps } from "@/app/_canvas/flow-picture/flow-picture";
import { ErrorState } from "@/app/_ui/controls/error-state";
import { loadPart } from "@/app/_ui/loading/load-part";
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

/** The rest of the page stays usable. */
const CanvasBoundary = catchError((_props: object, { reset }: ErrorInfo) => (
  <CanvasError title="The canvas could not be drawn" onRetry={reset}>
    An error occurred while drawing. The run itself is not affected; its other views still show it.
  </CanvasError>
));

export const CanvasError = (props: ComponentProps<typeof ErrorState>) => (
  <div className="flex size-full items-center justify-center overflow-y-auto bg-canvas">
    <ErrorState {...props} />
  </div>
);
