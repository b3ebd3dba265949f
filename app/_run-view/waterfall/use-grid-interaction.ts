import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import { useSingleKeys } from "../../_ui/keys/single-keys";
import { toGridMove } from "../grid/grid-keys";
import type { GridRows } from "../grid/grid-rows";
import type { TimeViewProps } from "../state/use-timeline";
import { headHeight, readColumns, toggleLeft, toggleWidth } from "./grid-columns";

export function useGridInteraction(
  scroller: RefObject<HTMLElement | null>,
  height: number,
  { run, timeline, selected, actions }: TimeViewProps,
) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { rows, runRange } = timeline;
  const singleKeys = useSingleKeys();
  const [groupRow, setGroupRow] = useState<number | null>(null);
  const activeRow =
    groupRow !== null && groupRow < rows.length && rows.spanAt(groupRow) < 0 ? groupRow : rows.find(selected);
  const scrolledStep = useRef(0);
  useEffect(() => {
    // Only when another step is selected: rows that are added above it must not move the view.
    if (scrolledStep.current === selected || activeRow < 0) return;
    scrolledStep.current = selected;
    scrollToRow(scroller.current, activeRow, height);
  });
  const goTo = (row: number): void => {
    const span = rows.spanAt(row);
    setGroupRow(span < 0 ? row : null);
    if (span >= 0) actions.select(span);
    scrollToRow(scroller.current, row, height);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = toGridMove(event, rows, Math.max(0, activeRow), singleKeys);
    if (!move) return;
    event.preventDefault();
    if (move.type === "toggle") actions.toggleRow(move.row);
    else if (move.type !== "go") actions.move(move);
    else goTo(move.row);
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const { row, area } = findRowAt(event, rows, height);
    if (row < 0) return;
    event.currentTarget.focus({ preventScroll: true });
    if (area === "toggle" || (rows.spanAt(row) < 0 && rows.isOpenAt(row) !== null)) actions.toggleRow(row);
    if (area !== "toggle") goTo(row);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>): void => {
    const { row, area } = findRowAt(event, rows, height);
    const span = rows.spanAt(row);
    if (span < 0 || area !== "bar") return;
    actions.zoomTo({ start: run.trace.columns.start[span] ?? 0, end: run.trace.endOf(span, runRange.end) });
  };
  return { activeRow, handlers: { onKeyDown, onClick, onDoubleClick } };
}

function scrollToRow(element: HTMLElement | null, row: number, height: number): void {
  if (!element) return;
  const top = row * height;
  const bottom = top + height + headHeight - element.clientHeight;
  if (element.scrollTop > top) element.scrollTop = top;
  else if (element.scrollTop < bottom) element.scrollTop = bottom;
}

/** The row below the pointer and the area of it; -1: none. */
function findRowAt(
  { clientX, clientY, currentTarget }: MouseEvent<HTMLElement>,
  rows: GridRows,
  height: number,
): { row: number; area: "toggle" | "step" | "bar" } {
  const box = currentTarget.getBoundingClientRect();
  const y = clientY - box.top - headHeight;
  const row = y < 0 ? -1 : Math.floor((y + currentTarget.scrollTop) / height);
  if (row < 0 || row >= rows.length) return { row: -1, area: "step" };
  const x = clientX - box.left - currentTarget.clientLeft;
  const toggleStart = toggleLeft(rows.depthAt(row));
  const isToggle = rows.isOpenAt(row) !== null && x >= toggleStart && x < toggleStart + toggleWidth;
  return { row, area: isToggle ? "toggle" : x >= readColumns(currentTarget).bars.left ? "bar" : "step" };
}
