import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { type AnswerSide, clamp } from "./place-answer";

interface Area {
  width: number;
  height: number;
}

/** In pixels of the screen. */
interface FittedAnswer {
  x: number;
  /** Of its upper end; above its step, of its lower end. */
  y: number;
  width: number;
  textHeight: number;
}

interface FittedOpenAnswer extends FittedAnswer {
  /** Of its step; null: it covers the step. */
  side: AnswerSide | null;
}

/** Of the rows of controls at the top and at the bottom of the canvas. */
export const controlsHeight = 56;
/** The row at the top is free further to the right. */
const toolsWidth = 220;
/** To the sides of the canvas. */
export const margin = 8;
/** Between a step and its answer. */
export const gap = 24;
export const closedWidth = 224;
/** The smaller ones are for where a larger one would cover cards. */
const [openWidths, openTextHeights] = [[440, 360, 280] as const, [288, 192, 96] as const];
/** With less room beside its step, an open answer covers the step. */
const [leastOpenWidth, leastOpenTextHeight] = [280, 96] as const;
export const lineHeight = 16;
const mostLines = 4;
/** Of an answer without its text. */
const frameHeight = 52;
export const closedHeight = frameHeight + mostLines * lineHeight;

/** A closed answer near the controls of the canvas has fewer lines. Null: there is no room for a line. */
export function fitClosedAnswer({ x, y }: { x: number; y: number }, area: Area): FittedAnswer | null {
  const lowest = area.height - controlsHeight - frameHeight;
  const lines = Math.min(mostLines, Math.floor((lowest - y) / lineHeight));
  const isUnderTools = x < toolsWidth && y < controlsHeight;
  return lines < 1 || isUnderTools ? null : { x, y, width: closedWidth, textHeight: lines * lineHeight };
}

const openTextHeightIn = ({ height }: Area): number =>
  Math.min(openTextHeights[0], height - 2 * controlsHeight - frameHeight);

/** For a line of it. */
export const hasRoomForOpenAnswer = (area: Area): boolean => openTextHeightIn(area) >= lineHeight;

/**
 * An open answer is at the side of its step, and of the size, with which it covers the fewest cards, and of those the largest.
 * Null: there is no room for a line.
 */
export function fitOpenAnswer(
  step: CanvasBox,
  area: Area,
  countCards: (box: CanvasBox) => number,
): FittedOpenAnswer | null {
  const mostWidth = Math.min(openWidths[0], area.width - 2 * margin);
  if (!hasRoomForOpenAnswer(area)) return null;
  const mostTextHeight = openTextHeightIn(area);
  const [right, bottom] = [step.x + step.width + gap, step.y + step.height + gap];
  const clampX = (x: number, width: number): number => clamp(x, margin, area.width - margin - width);
  const clampY = (y: number, textHeight: number): number =>
    clamp(y, controlsHeight, area.height - controlsHeight - frameHeight - textHeight);
  const toSide = (side: "left" | "right", room: number, { width: most, textHeight }: TextSize): FittedOpenAnswer => {
    const width = Math.min(most, room);
    const x = clampX(side === "right" ? right : step.x - gap - width, width);
    return { side, x, y: clampY(step.y, textHeight), width, textHeight };
  };
  const toEnd = (side: "above" | "below", room: number, { width, ...most }: TextSize): FittedOpenAnswer => {
    const textHeight = Math.min(most.textHeight, room - frameHeight);
    const height = frameHeight + textHeight;
    const lowest = area.height - controlsHeight;
    const y =
      side === "below"
        ? clamp(bottom, controlsHeight, lowest - height)
        : clamp(step.y - gap, controlsHeight + height, lowest);
    return { side, x: clampX(step.x + (step.width - width) / 2, width), y, width, textHeight };
  };
  const places = listOpenSizes({ width: mostWidth, textHeight: mostTextHeight }).flatMap((size) => [
    toSide("right", area.width - margin - right, size),
    toSide("left", step.x - gap - margin, size),
    toEnd("below", area.height - controlsHeight - bottom, size),
    toEnd("above", step.y - gap - controlsHeight, size),
  ]);
  const best = places
    .filter(({ width, textHeight }) => width >= leastOpenWidth && textHeight >= leastOpenTextHeight)
    .map((place) => ({ place, cards: countCards(boxOfOpenAnswer(place)) }))
    .toSorted((a, b) => a.cards - b.cards || sizeOf(b.place) - sizeOf(a.place))[0];
  return (
    best?.place ?? {
      side: null,
      x: clampX(step.x, mostWidth),
      y: clampY(step.y, mostTextHeight),
      width: mostWidth,
      textHeight: mostTextHeight,
    }
  );
}

type TextSize = Pick<FittedAnswer, "width" | "textHeight">;

const sizeOf = ({ width, textHeight }: TextSize): number => width * textHeight;

const listOpenSizes = (most: TextSize): TextSize[] =>
  openWidths.flatMap((width) =>
    openTextHeights.map((textHeight) => ({
      width: Math.min(width, most.width),
      textHeight: Math.min(textHeight, most.textHeight),
    })),
  );

/** As large as it is with a long text. */
export function boxOfOpenAnswer({ side, x, y, width, textHeight }: FittedOpenAnswer): CanvasBox {
  const height = frameHeight + textHeight;
  return { x, y: side === "above" ? y - height : y, width, height };
}
