/** Between a hint and what it belongs to, and between a hint and the edge of the window. In pixels. */
const gap = 6;
const margin = 5;

interface Size {
  width: number;
  height: number;
}

type AnchorBox = Size & { left: number; top: number };

/** Where a hint stands: over the middle of what it belongs to, below where there is no room, never beyond the window. */
export function placeHint(anchor: AnchorBox, hint: Size, view: Size): { left: number; top: number } {
  const over = anchor.top - gap - hint.height;
  const left = anchor.left + (anchor.width - hint.width) / 2;
  return {
    left: Math.max(margin, Math.min(left, view.width - margin - hint.width)),
    top: over >= margin ? over : anchor.top + anchor.height + gap,
  };
}
