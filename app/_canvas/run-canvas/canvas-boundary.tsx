"use client";

import { catchError, type ErrorInfo } from "next/error";
import { CanvasError } from "./canvas-trouble";

/** The rest of the page stays usable. */
export const CanvasBoundary = catchError(CanvasFailure);

function CanvasFailure(_props: object, { reset }: ErrorInfo) {
  return (
    <CanvasError title="The canvas could not be drawn" onRetry={reset}>
      Something went wrong while it was drawn. The run is as it was, and its other views show it.
    </CanvasError>
  );
}
