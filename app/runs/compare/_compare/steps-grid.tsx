import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import { AgentNumbers } from "@/lib/core/flow/agent-numbers";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { agentColor } from "../../../_ui/agent-color";
import { useMedia } from "../../../_ui/use-media";
import { columnStyles, phoneStyle } from "./columns";
import { letterOf } from "./letters";
import { StepRow } from "./step-row";
import { toRowMove } from "./walk-rows";

interface StepsGridProps {
  rows: readonly ComparedRow[];
  /** Names, in the order that gives them their colours. */
  agents: readonly string[];
  /** How many, and the index of the one that the base is compared to. */
  columns: { runs: number; against: number };
  /** Index of the selected row; -1: not listed. */
  selected: number;
  onSelect(index: number): void;
}

/** In px; on a phone a cell has its values below each other. */
const rowHeights = { wide: 48, narrow: 88 };
const headHeight = 28;

/** The steps of the runs by path. One Tab stop: arrows, Home, End and the page keys walk the rows, n and N the rows that differ. */
export function StepsGrid({ rows, agents, columns, selected, onSelect }: StepsGridProps) {
  "use no memo"; // The virtualizer is mutable.
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useMedia("(max-width: 639px)") ? rowHeights.narrow : rowHeights.wide;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: { width: 800, height: 480 },
  });
  // The list keeps the heights that it computed first.
  useEffect(() => {
    if (rowHeight > 0) virtual.measure();
  }, [rowHeight, virtual]);
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected);
  }, [selected, virtual]);
  const handlers = useRowSelection(rows, { selected, rowHeight }, onSelect);
  const numbers = new AgentNumbers(agents).byName;
  const items = virtual.getVirtualItems();
  const isActiveDrawn = items.some(({ index }) => index === selected);
  return (
    <div
      ref={scroller}
      role="treegrid"
      aria-label="Steps of the runs"
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isActiveDrawn ? toRowId(selected) : undefined}
      tabIndex={0}
      {...handlers}
      className="group/grid max-h-[min(60dvh,560px)] overflow-auto rounded-lg border bg-surface -outline-offset-2"
    >
      <div className="min-w-max">
        <GridHead {...columns} />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index];
            return (
              row && (
                <StepRow
                  key={row.path}
                  id={toRowId(index)}
                  row={row}
                  against={columns.against}
                  color={agentColor(numbers.get(row.name))}
                  position={{ index, top: start - headHeight, height: size }}
                  selected={index === selected}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

function useRowSelection(
  rows: readonly ComparedRow[],
  { selected, rowHeight }: { selected: number; rowHeight: number },
  onSelect: (index: number) => void,
) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 1);
    const nextRow = toRowMove(event.key, rows, Math.max(0, selected), perPage);
    if (nextRow === null) return;
    event.preventDefault();
    onSelect(nextRow);
  };
  const onClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    const row = target instanceof Element && target.closest("[data-row]");
    if (!row) return;
    currentTarget.focus({ preventScroll: true });
    onSelect(Number(row.getAttribute("data-row")));
  };
  return { onKeyDown, onClick };
}

function GridHead({ runs, against }: StepsGridProps["columns"]) {
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-20 border-line border-b bg-surface-sunken text-text-muted text-xs"
      style={{ height: headHeight }}
    >
      <div role="row" aria-rowindex={1} tabIndex={-1} className="flex h-full items-center">
        <span role="columnheader" tabIndex={-1} className={`bg-surface-sunken px-2 sm:px-3 ${columnStyles.step}`}>
          Step
        </span>
        {Array.from({ length: runs }, (_, index) => letterOf(index)).map((letter, index) => (
          <span
            key={letter}
            role="columnheader"
            tabIndex={-1}
            className={`${columnStyles.run} ${phoneStyle(index, against)}`}
          >
            {index === 0 ? "A (base)" : letter}
          </span>
        ))}
      </div>
    </div>
  );
}

const toRowId = (index: number): string => `compared-step-${index}`;
