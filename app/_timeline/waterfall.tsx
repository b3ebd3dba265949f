"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import type { RunState } from "@/lib/core/trace/run-state";
import { rangeOf, type TraceRow, toRows, toTicks } from "@/lib/core/trace/spans";
import { formatDuration } from "../_ui/format";
import { WaterfallRow } from "./waterfall-row";

interface WaterfallProps {
  state: RunState;
  now: number;
  selected: number | null;
  onSelect(id: number): void;
}

const rowHeight = (): number => (typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches ? 44 : 28);

/** The tree of steps beside their bars in time. One Tab stop; arrows move, left and right close and open. */
export function Waterfall({ state, now, selected, onSelect }: WaterfallProps) {
  "use no memo"; // The virtualizer changes inside without changing its identity.
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const rows = toRows(state, collapsed);
  const range = rangeOf(state, Math.max(now, state.startedAt ?? 0));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: rowHeight,
    overscan: 12,
    initialRect: { width: 800, height: 600 },
  });
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === selected),
  );
  const go = (index: number): void => {
    const row = rows[Math.min(Math.max(index, 0), rows.length - 1)];
    if (!row) return;
    onSelect(row.node.id);
    virtual.scrollToIndex(rows.indexOf(row));
  };
  const toggle = (id: number, closed: boolean): void => {
    const next = new Set(collapsed);
    if (closed) next.add(id);
    else next.delete(id);
    setCollapsed(next);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    const row = rows[active];
    const act = row && actions(row, rows, active, go, toggle)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  return (
    <div className="flex min-h-40 min-w-0 flex-1 flex-col">
      <div aria-hidden className="flex h-7 shrink-0 items-center border-b bg-surface-sunken text-text-muted text-xs">
        <span className="w-[46%] min-w-44 shrink-0 px-3">Step</span>
        <span className="hidden w-16 shrink-0 text-right sm:block">Tokens</span>
        <span className="w-16 shrink-0 text-right">Time</span>
        <Axis length={range.to - range.from} />
      </div>
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Steps of the run"
        aria-rowcount={rows.length}
        aria-activedescendant={rows[active] ? rowId(rows[active].node.id) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden outline-offset-[-2px]"
      >
        <div className="relative w-full" style={{ height: virtual.getTotalSize() }} role="presentation">
          {virtual.getVirtualItems().map(({ index, start, size }) => {
            const row = rows[index];
            return (
              row && (
                <WaterfallRow
                  key={row.node.id}
                  id={rowId(row.node.id)}
                  row={row}
                  index={index}
                  top={start}
                  height={size}
                  range={range}
                  now={now}
                  selected={row.node.id === selected}
                  onSelect={onSelect}
                  onToggle={toggle}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

const rowId = (id: number): string => `step-${id}`;

function actions(
  row: TraceRow,
  rows: readonly TraceRow[],
  at: number,
  go: (index: number) => void,
  toggle: (id: number, closed: boolean) => void,
): Record<string, () => void> {
  const parent = rows.findLastIndex((other, index) => index < at && other.depth === row.depth - 1);
  const open = row.hasChildren && !row.collapsed;
  return {
    ArrowDown: () => go(at + 1),
    ArrowUp: () => go(at - 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowLeft: () => (open ? toggle(row.node.id, true) : parent >= 0 && go(parent)),
    ArrowRight: () => (row.collapsed ? toggle(row.node.id, false) : open && go(at + 1)),
  };
}

function Axis({ length }: { length: number }) {
  const ticks = toTicks({ from: 0, to: length }, 480, 96);
  return (
    <span className="relative mx-3 h-full min-w-16 flex-1 overflow-hidden">
      {ticks.map((tick) => (
        <span
          key={tick}
          className="absolute top-1 whitespace-nowrap border-line-strong border-l pl-1 tabular-nums"
          style={{ left: `${(tick / length) * 100}%` }}
        >
          {formatDuration(tick)}
        </span>
      ))}
    </span>
  );
}
