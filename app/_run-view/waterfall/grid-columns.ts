export const columnWidths =
  "[--step:48%] [--tokens:0px] [--cost:0px] [--time:60px] sm:[--step:clamp(160px,38%,448px)] sm:[--time:66px] md:[--tokens:62px] lg:[--cost:62px]";

/** Head and rows share it: the widths are fixed, so that a text in one cell never moves another. */
export const columnGrid = "grid grid-cols-[var(--step)_var(--tokens)_var(--cost)_var(--time)_minmax(0,1fr)]";

type Column = "step" | "tokens" | "cost" | "time" | "bars";

/** Above the scrolled rows, in px. */
export const headHeight = 24;

/** From the left of the grid, in px. */
export interface ColumnBox {
  left: number;
  width: number;
}
export type ColumnBoxes = Readonly<Record<Column, ColumnBox>>;

export function readColumns(head: Element): ColumnBoxes {
  const box = (column: Column): ColumnBox => {
    const cell = head.querySelector<HTMLElement>(`[data-column=${column}]`);
    return { left: cell?.offsetLeft ?? 0, width: cell?.offsetWidth ?? 0 };
  };
  return { step: box("step"), tokens: box("tokens"), cost: box("cost"), time: box("time"), bars: box("bars") };
}

const deepest = 9;

/** Where the arrow of a row begins that opens and closes it, and how wide it is, in px from the left of the grid. */
export const toggleLeft = (depth: number): number => 4 + (Math.min(depth, deepest) - 1) * 18;
export const toggleWidth = 24;
/** Side of an agent's tile; icons have its room, in px. */
export const tileSize = 20;
export const nameLeft = (depth: number, hasIcon: boolean): number =>
  toggleLeft(depth) + toggleWidth + (hasIcon ? tileSize + 8 : 0);
/** Room for the mark of a row's status at the right of its name, in px. */
export const markRoom = 24;
