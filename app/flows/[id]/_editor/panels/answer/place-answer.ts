import { type CanvasBox, contains } from "@/lib/core/layout/scene/canvas-box";

export type AnswerSide = "below" | "right" | "left" | "above";

interface AnswerPlace {
  /** In the units of the given boxes. */
  x: number;
  y: number;
  /** Of the step, where the answer hangs; null: nothing is free there, so it is below the whole flow. */
  side: AnswerSide | null;
}

interface PlaceOptions {
  size: { width: number; height: number };
  gap: number;
  /** The part of the canvas that is in view and not covered by controls. */
  visible: CanvasBox;
  /** Everything that is drawn. */
  bounds: CanvasBox;
  isFree(box: CanvasBox): boolean;
}

/** Where the answer of a step is displayed: beside the step, over nothing else, and in view if there is such a side. */
export function placeAnswer(step: CanvasBox, { size, gap, visible, bounds, isFree }: PlaceOptions): AnswerPlace {
  const centerX = step.x + (step.width - size.width) / 2;
  const centerY = step.y + (step.height - size.height) / 2;
  const places = [
    { side: "below", x: centerX, y: step.y + step.height + gap },
    { side: "right", x: step.x + step.width + gap, y: centerY },
    { side: "left", x: step.x - gap - size.width, y: centerY },
    { side: "above", x: centerX, y: step.y - gap - size.height },
  ] as const;
  const free = places.filter((place) => isFree({ ...place, ...size }));
  return (
    free.find((place) => contains(visible, { ...place, ...size })) ??
    free[0] ?? { side: null, x: centerX, y: bounds.y + bounds.height + gap }
  );
}
