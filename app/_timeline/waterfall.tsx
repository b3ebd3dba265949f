"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import { isTerminal } from "@/lib/core/run/events";
import type { RunState } from "@/lib/core/trace/run-state";
import { rangeOf, toRows } from "@/lib/core/trace/spans";
import { Button } from "../_ui/button";
import { useMedia } from "../_ui/use-media";
import { Axis } from "./axis";
import { toGridMove } from "./grid-keys";
import { useFollow } from "./use-follow";
import { columns, WaterfallRow } from "./waterfall-row";

interface WaterfallProps {
  state: RunState;
  now: number;
  selected: number | null;
  onSelect(id: number): void;
  /** Enter on a row: what is known of it should get the focus. */
  onOpen(): void;
}

const rowHeight = 26;
/** Under a finger. */
const tallRowHeight = 44;
/** The head stays above the rows that scroll below it. */
const headHeight = 28;

/**
 * The tree of steps beside their bars in time; the whole run fits the width. One Tab stop, the keys of a treegrid. While
 * the run goes on it stays at its end until somebody scrolls up.
 */
export function Waterfall(props: WaterfallProps) {
  const height = useMedia("(pointer: coarse)") ? tallRowHeight : rowHeight;
  return <Grid key={height} height={height} {...props} />;
}

function Grid({ height, state, now, selected, onSelect, onOpen }: WaterfallProps & { height: number }) {
  "use no memo"; // The virtualizer changes inside without changing its identity.
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set());
  const scroller = useRef<HTMLDivElement>(null);
  const rows = toRows(state, collapsed);
  const range = rangeOf(state, Math.max(now, state.startedAt ?? 0));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    initialRect: { width: 800, height: 800 },
  });
  const follow = useFollow(scroller, rows.length, !isTerminal(state.status));
  const active = Math.max(
    0,
    rows.findIndex(({ node }) => node.id === selected),
  );
  const toggle = (id: number, closed: boolean): void => {
    const next = new Set(collapsed);
    if (closed) next.add(id);
    else next.delete(id);
    setCollapsed(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = toGridMove(event.key, rows, active);
    if (!move) return;
    event.preventDefault();
    if ("open" in move) onOpen();
    else if ("toggle" in move) toggle(move.toggle, move.closed);
    else {
      const row = rows[move.go];
      if (row) onSelect(row.node.id);
      virtual.scrollToIndex(move.go);
    }
  };
  const onClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    if (!(target instanceof Element) || target.closest("button")) return;
    currentTarget.focus({ preventScroll: true });
    const id = Number(target.closest("[data-node]")?.getAttribute("data-node"));
    const row = rows.find(({ node }) => node.id === id);
    if (!row) return;
    if (target.closest("[data-toggle]")) toggle(id, !row.collapsed);
    else onSelect(id);
  };
  const items = virtual.getVirtualItems();
  const activeRow = items.some(({ index }) => index === active) ? rows[active] : undefined;
  return (
    <div className="relative flex min-h-40 min-w-0 flex-1 flex-col">
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Steps of the run"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={activeRow ? toRowId(activeRow.node.id) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        className="group/grid min-h-0 flex-1 overflow-y-auto overflow-x-hidden -outline-offset-2"
      >
        <Head length={range.to - range.from} />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start, size }) => {
            const row = rows[index];
            return (
              row && (
                <WaterfallRow
                  key={row.node.id}
                  id={toRowId(row.node.id)}
                  row={row}
                  index={index}
                  top={start - headHeight}
                  height={size}
                  range={range}
                  now={now}
                  selected={row.node.id === selected}
                />
              )
            );
          })}
        </div>
      </div>
      {follow.missed !== null && (
        <Button size="small" onClick={follow.resume} className="absolute right-4 bottom-3 shadow-popover">
          <ArrowDown size={14} aria-hidden /> Jump to live{follow.missed > 0 ? ` (${follow.missed} new)` : ""}
        </Button>
      )}
    </div>
  );
}

const toRowId = (id: number): string => `step-${id}`;

function Head({ length }: { length: number }) {
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-10 border-line border-b bg-surface-sunken text-text-muted text-xs"
      style={{ height: headHeight }}
    >
      <div role="row" aria-rowindex={1} tabIndex={-1} className="flex h-full items-center">
        <span role="columnheader" tabIndex={-1} className={`px-3 ${columns.step}`}>
          Step
        </span>
        <span role="columnheader" tabIndex={-1} className={`text-right ${columns.tokens}`}>
          Tokens
        </span>
        <span role="columnheader" tabIndex={-1} className={`text-right ${columns.time}`}>
          Time
        </span>
        <div role="columnheader" tabIndex={-1} aria-label="When" className={`h-full ${columns.bars}`}>
          <Axis length={length} />
        </div>
      </div>
    </div>
  );
}
