interface Area {
  width: number;
  height: number;
}

/** In pixels of the screen. */
interface FittedAnswer {
  x: number;
  y: number;
  width: number;
  textHeight: number;
}

/** Of the rows of controls at the top and at the bottom of the canvas. */
export const controlsHeight = 56;
/** The row at the top is free further to the right. */
const toolsWidth = 220;
/** To the sides of the canvas. */
export const margin = 8;
export const closedWidth = 224;
const [openWidth, openTextHeight] = [440, 288] as const;
export const lineHeight = 16;
const mostLines = 4;
/** Of an answer without its text. */
const frameHeight = 52;
export const closedHeight = frameHeight + mostLines * lineHeight;

/**
 * An answer near the controls of the canvas is kept clear of them: a closed one has fewer lines, an open one moves up.
 * Null: there is no room for a line.
 */
export function fitAnswer({ x, y }: { x: number; y: number }, area: Area, isOpen: boolean): FittedAnswer | null {
  const lowest = area.height - controlsHeight - frameHeight;
  if (isOpen) {
    const width = Math.min(openWidth, area.width - 2 * margin);
    const textHeight = Math.min(openTextHeight, lowest - controlsHeight);
    if (textHeight < lineHeight) return null;
    return {
      x: clamp(x, margin, area.width - margin - width),
      y: clamp(y, controlsHeight, lowest - textHeight),
      width,
      textHeight,
    };
  }
  const lines = Math.min(mostLines, Math.floor((lowest - y) / lineHeight));
  const isUnderTools = x < toolsWidth && y < controlsHeight;
  return lines < 1 || isUnderTools ? null : { x, y, width: closedWidth, textHeight: lines * lineHeight };
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most));
