const gap = 6;
const margin = 5;

interface Size {
  width: number;
  height: number;
}

type AnchorBox = Size & { left: number; top: number };

/** Centred above the anchor, below it where there is no room, never outside the window. */
export function placeHint(anchor: AnchorBox, hint: Size, view: Size): { left: number; top: number } {
  const over = anchor.top - gap - hint.height;
  const centredLeft = anchor.left + (anchor.width - hint.width) / 2;
  return {
    left: Math.max(margin, Math.min(centredLeft, view.width - margin - hint.width)),
    top: over >= margin ? over : anchor.top + anchor.height + gap,
  };
}
