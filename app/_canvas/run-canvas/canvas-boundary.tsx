"use client";

import { catchError, type ErrorInfo } from "next/error";
import { CanvasError } from "./canvas-trouble";

/** The rest of the page stays usable. */
export const CanvasBoundary = catchError(CanvasFailure);

function CanvasFailure(_props: object, { reset }: ErrorInfo) {
  return (
    <CanvasError title="The canvas could not be drawn" onRetry={reset}>
      An error occurred while drawing. The run itself is not affected; its other views still show it.
    </CanvasError>
  );
}
