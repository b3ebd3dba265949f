"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef } from "react";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { letterOf } from "./letters";
import { columns, StepRow } from "./step-row";
import { toRowMove } from "./walk-rows";

interface StepsGridProps {
  rows: readonly ComparedRow[];
  /** How many runs stand beside each other. */
  runs: number;
  /** Place of the selected row; -1: none of these. */
  selected: number;
  onSelect(index: number): void;
}

const rowHeight = 48;
/** The head stays above the rows that scroll below it. */
const headHeight = 28;

/** The steps of the runs by path. One Tab stop: arrows, Home, End and pages walk the rows, n and N those that differ. */
export function StepsGrid({ rows, runs, selected, onSelect }: StepsGridProps) {
  "use no memo"; // The virtualizer changes inside without changing its identity.
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: { width: 800, height: 480 },
  });
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected);
  }, [selected, virtual]);
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
      onKeyDown={onKeyDown}
      onClick={onClick}
      className="group/grid max-h-[min(60dvh,560px)] overflow-auto rounded-lg border -outline-offset-2"
    >
      <div className="min-w-max">
        <div
          role="rowgroup"
          className="sticky top-0 z-20 border-line border-b bg-surface-sunken text-text-muted text-xs"
          style={{ height: headHeight }}
        >
          <div role="row" aria-rowindex={1} tabIndex={-1} className="flex h-full items-center">
            <span role="columnheader" tabIndex={-1} className={`bg-surface-sunken px-3 ${columns.step}`}>
              Step
            </span>
            {Array.from({ length: runs }, (_, index) => letterOf(index)).map((letter, index) => (
              <span key={letter} role="columnheader" tabIndex={-1} className={columns.run}>
                {index === 0 ? "A (base)" : letter}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index];
            return (
              row && (
                <StepRow
                  key={row.path}
                  id={toRowId(index)}
                  row={row}
                  index={index}
                  top={start - headHeight}
                  height={size}
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

const toRowId = (index: number): string => `compared-step-${index}`;
