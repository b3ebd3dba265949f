import parse from "html-react-parser";
import type { Layout } from "@/lib/core/flow/edit";
import type { Flow } from "@/lib/core/flow/flow";
import type { ViewArea } from "../state/flow-state";
import { drawFirstPicture } from "./draw-first-picture";

interface FirstPictureProps {
  flow: Flow;
  layout: Layout;
  /** Of the view that it is drawn for; in another one it is fitted. */
  size: ViewArea;
}

/** The flow as the server draws it: on screen until the canvas is, which needs code. */
export function FirstPicture({ flow, layout, size }: FirstPictureProps) {
  const drawing = drawFirstPicture(flow, layout, size);
  if (!drawing) return null;
  const { x, y, width, height } = drawing.view;
  return (
    <svg
      aria-hidden
      id="first-picture"
      className="pointer-events-none absolute inset-0 size-full"
      viewBox={[x, y, width, height].map((value) => value.toFixed(1)).join(" ")}
    >
      {parse(drawing.shapes, { htmlparser2: { xmlMode: true } })}
    </svg>
  );
}
