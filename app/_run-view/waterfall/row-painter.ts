import { drawBars, drawFocus, drawSteps, type RowBand } from "./draw-rows";
import type { RowPen, RowPicture } from "./row-picture";

/** Part of the rows, in px from the top of the first one. */
export interface RowStretch {
  top: number;
  bottom: number;
}

interface Painted extends RowStretch {
  pen: RowPen;
  picture: RowPicture;
  origin: number;
  view: RowStretch;
}

/**
 * Paints the rows of the grid on a canvas that is scrolled with them, as little as has changed: single rows, the bars alone, everything, or
 * nothing at all. During a scroll, more is painted ahead, as far as the canvas reaches.
 */
export class RowPainter {
  #last: Painted | null = null;

  paint(pen: RowPen, picture: RowPicture, view: RowStretch): number {
    const last = this.#last?.pen === pen ? this.#last : null;
    const changed = last ? changedIn(last.picture, picture) : "all";
    if (!last || changed === "all" || view.top < last.top || view.bottom > last.bottom)
      return this.#paintAll(pen, picture, view, changed === "all" ? null : (last?.view ?? null));
    const covered = changed === "bars" ? view : last;
    this.#last = { ...last, picture, view, top: covered.top, bottom: covered.bottom };
    const { origin } = last;
    if (changed === "bars") drawBars(pen, picture, bandOf(covered, origin, picture));
    for (const row of rowsOf(last.picture, picture)) {
      const top = row * picture.height;
      if (row >= 0 && top < covered.bottom && top + picture.height > covered.top)
        drawBand(pen, picture, { firstRow: row, endRow: row + 1, top: origin });
    }
    if (picture.isFocused) drawFocus(pen, picture, origin);
    return origin;
  }

  #paintAll(pen: RowPen, picture: RowPicture, view: RowStretch, before: RowStretch | null): number {
    const painted = ahead(view, before, pen.height);
    const origin = Math.floor(painted.top * pen.ratio) / pen.ratio;
    this.#last = { pen, picture, origin, view, ...painted };
    drawBand(pen, picture, bandOf(painted, origin, picture));
    if (picture.isFocused) drawFocus(pen, picture, origin);
    return origin;
  }
}

/** What to paint for a view: as much as there is room for in the direction of a scroll; after a jump, or with `before` null, the view alone. */
export function ahead({ top, bottom }: RowStretch, before: RowStretch | null, room: number): RowStretch {
  const scrolled = before ? top - before.top : 0;
  if (scrolled === 0 || Math.abs(scrolled) > (bottom - top) / 2 || room < bottom - top) return { top, bottom };
  return scrolled > 0 ? { top, bottom: top + room } : { top: Math.max(0, bottom - room), bottom };
}

const bandOf = ({ top, bottom }: RowStretch, origin: number, { height }: RowPicture): RowBand => ({
  firstRow: Math.max(0, Math.floor(top / height)),
  endRow: Math.ceil(bottom / height),
  top: origin,
});

function rowsOf(before: RowPicture, after: RowPicture): Set<number> {
  const rows = new Set<number>();
  if (before.active !== after.active || before.isFocused !== after.isFocused) rows.add(before.active).add(after.active);
  if (before.hovered !== after.hovered) rows.add(before.hovered).add(after.hovered);
  return rows;
}

const ofBars = new Set<string>(["scale"] satisfies (keyof RowPicture)[]);
const ofRows = new Set<string>(["active", "hovered", "isFocused"] satisfies (keyof RowPicture)[]);

export function changedIn(before: RowPicture, after: RowPicture): "rows" | "bars" | "all" {
  const previous = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => !Object.is(previous.get(name), value));
  if (changed.every(([name]) => ofRows.has(name))) return "rows";
  return changed.every(([name]) => ofRows.has(name) || ofBars.has(name)) ? "bars" : "all";
}

function drawBand(pen: RowPen, picture: RowPicture, band: RowBand): void {
  drawSteps(pen, picture, band);
  drawBars(pen, picture, band);
}
