import { type CanvasBox, contains, overlaps } from "@/lib/core/layout/scene/canvas-box";

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
  /** Where the input of the step comes from: an answer there would look like one. */
  inputSides: readonly AnswerSide[];
  /** Whether there is no card. */
  isFree(box: CanvasBox): boolean;
  countLinks(box: CanvasBox): number;
}

/**
 * Where the answer of a step is displayed: beside the step, over no card, and in view if there is such a side, over as
 * few links as possible, and where the input comes from only if there is no other side. As long as the step is in view, an
 * answer is not cut off at the left or right.
 */
export function placeAnswer(
  step: CanvasBox,
  { size, gap, visible, bounds, inputSides, isFree, countLinks }: PlaceOptions,
): AnswerPlace {
  const isStepInView = overlaps(visible, step);
  const middleX = step.x + (step.width - size.width) / 2;
  const middleY = step.y + (step.height - size.height) / 2;
  const places = offsets.flatMap((offset) => {
    const inView = isStepInView ? visible : null;
    const x = slide(middleX, { offset, length: size.width, view: inView && [inView.x, inView.width] });
    const y = slide(middleY, { offset, length: size.height, view: inView && [inView.y, inView.height] });
    return [
      { side: "below", x, y: step.y + step.height + gap },
      { side: "right", x: step.x + step.width + gap, y },
      { side: "left", x: step.x - gap - size.width, y },
      { side: "above", x, y: step.y - gap - size.height },
    ] as const;
  });
  const toBox = (place: { x: number; y: number }): CanvasBox => ({ x: place.x, y: place.y, ...size });
  const isInput = ({ side }: { side: AnswerSide }): number => Number(inputSides.includes(side));
  const free = places.filter((place) => isFree(toBox(place))).toSorted((a, b) => isInput(a) - isInput(b));
  const inView = free
    .filter((place) => contains(visible, toBox(place)))
    .map((place) => ({ place, links: countLinks(toBox(place)) }))
    .toSorted((a, b) => isInput(a.place) - isInput(b.place) || a.links - b.links);
  const isWhole = (place: { x: number }): boolean =>
    visible.x <= place.x && place.x + size.width <= visible.x + visible.width;
  const belowAll = isStepInView ? clamp(middleX, visible.x, visible.x + visible.width - size.width) : middleX;
  return (
    inView[0]?.place ??
    free.find((place) => !isStepInView || isWhole(place)) ?? {
      side: null,
      x: belowAll,
      y: bounds.y + bounds.height + gap,
    }
  );
}

/** In the middle of its step, and as far to each side as it is next to that middle. */
const offsets = [0, 1, -1] as const;
const mostSlide = 0.4;

interface SlideOptions {
  offset: (typeof offsets)[number];
  /** Of the box along the axis. */
  length: number;
  /** Start and length of what is in view; null: the box need not be in view. */
  view: readonly [start: number, length: number] | null;
}

/** The start of a box along one axis, moved into view as far as it stays next to the middle of its step. */
function slide(middle: number, { offset, length, view }: SlideOptions): number {
  const most = length * mostSlide;
  const start = middle + offset * most;
  const inView = view === null ? start : clamp(start, view[0], view[0] + view[1] - length);
  return clamp(inView, middle - most, middle + most);
}

export const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
