"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { laneOf, type Turn } from "@/lib/core/trace/turns";
import { Button } from "../_ui/button";
import type { Lane } from "./lanes";
import { TurnRow } from "./turn-row";
import { useActiveTurn } from "./use-active-turn";
import { useFollow } from "./use-follow";

interface TurnListProps {
  turns: readonly Turn[];
  /** The columns; none: the turns stand one below the other. */
  lanes: readonly Lane[];
  /** The selected step. */
  selected: number | null;
  onSelect(nodeId: number): void;
  /** What was said later is dimmed, in milliseconds since the epoch; null: nothing is. */
  until: number | null;
  live: boolean;
  /** Asks for more turns; null: there are none, or they are on their way. */
  load: (() => void) | null;
}

/** How many turns before the end more are asked for. */
const ahead = 20;

/** The turns in view. One Tab stop; arrows go from turn to turn, Enter selects the step. */
export function TurnList({ turns, lanes, selected, onSelect, until, live, load }: TurnListProps) {
  "use no memo"; // The virtualizer changes inside without changing its identity.
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]?.id ?? index,
    estimateSize: () => 96,
    overscan: 6,
    initialRect: { width: 800, height: 800 },
  });
  const { active, ...handlers } = useActiveTurn({ turns, selected, onSelect, virtual });
  const follow = useFollow(scroller, turns.length, live);
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= turns.length - ahead;
  useEffect(() => {
    if (isNearEnd) load?.();
  }, [isNearEnd, load]);
  const began = turns[0]?.at ?? 0;
  const activeTurn = items.some(({ index }) => index === active) ? turns[active] : undefined;
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label="Conversation"
        aria-rowcount={turns.length}
        aria-activedescendant={activeTurn && toRowId(activeTurn.id)}
        tabIndex={0}
        {...handlers}
        className="group/turns min-h-0 flex-1 overflow-y-auto overflow-x-hidden pt-2 -outline-offset-2"
      >
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const turn = turns[index];
            return (
              turn && (
                <TurnRow
                  key={turn.id}
                  id={toRowId(turn.id)}
                  turn={turn}
                  index={index}
                  top={start}
                  columns={lanes.length}
                  column={lanes.findIndex(({ key }) => key === laneOf(turn.agent.path))}
                  after={turn.at - began}
                  isActive={index === active}
                  isSelected={turn.node === selected}
                  isLater={until !== null && turn.at > until}
                  measure={virtual.measureElement}
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
    </>
  );
}

const toRowId = (id: number): string => `turn-${id}`;
