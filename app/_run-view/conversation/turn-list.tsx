"use client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { type ConversationEntry, laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { Button } from "../../_ui/controls/button";
import { useFollow } from "../hooks/use-follow";
import { type ConversationQuery, fromEnd } from "../source/turn-source";
import type { ConversationLane } from "./lanes";
import { TurnRow } from "./turn-row";
import { findTurnIndex, type LoadedPart, useActiveTurn } from "./use-active-turn";

interface TurnListProps {
  turns: readonly ConversationEntry[];
  /** What part of the conversation they are. */
  part: LoadedPart;
  /** The columns; none: the turns stand one below the other. */
  lanes: readonly ConversationLane[];
  /** The selected step. */
  selected: number | null;
  onSelect(nodeId: number): void;
  /** When the run began, in milliseconds since the epoch. */
  began: number;
  /** What was said later is dimmed, in milliseconds since the epoch; null: nothing is. */
  until: number | null;
  live: boolean;
  /** Shows another part instead. */
  open(query: ConversationQuery): void;
  /** Ask for more turns behind and before these; null: there are none, or they are on their way. */
  load: (() => void) | null;
  loadEarlier: (() => void) | null;
}

/** How many turns before the end more are asked for. */
const ahead = 20;

/** The turns in view. One Tab stop; arrows go from turn to turn, Enter selects the step. */
export function TurnList(props: TurnListProps) {
  "use no memo"; // The virtualizer changes inside without changing its identity.
  const { turns, part, lanes, selected, onSelect, began, until, live, open, load, loadEarlier } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]?.id ?? index,
    estimateSize: () => 96,
    overscan: 6,
    initialRect: { width: 800, height: 800 },
    // What is in view stays where it is when earlier turns come.
    anchorTo: "end",
  });
  const { active, ...handlers } = useActiveTurn({ turns, part, selected, onSelect, open, virtual });
  const follow = useFollow(scroller, {
    count: useAdded(turns, part),
    live,
    hasEnd: !part.hasMore,
    size: virtual.getTotalSize(),
  });
  const items = virtual.getVirtualItems();
  const isNearEnd = (items.at(-1)?.index ?? 0) >= turns.length - ahead;
  const isNearStart = (items[0]?.index ?? turns.length) < ahead;
  const isInPlace = useNextPicture(part.opened);
  useEffect(() => {
    if (!isInPlace) return;
    if (isNearEnd) load?.();
    if (isNearStart) loadEarlier?.();
  }, [isInPlace, isNearEnd, isNearStart, load, loadEarlier]);
  const activeTurn = items.some(({ index }) => index === active) ? turns[active] : undefined;
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label="Conversation"
        aria-rowcount={part.hasEarlier || part.hasMore ? -1 : turns.length}
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
        <Button
          size="small"
          onClick={() => {
            if (part.hasMore) open(fromEnd);
            follow.resume();
          }}
          className="absolute right-4 bottom-3 shadow-popover"
        >
          <ArrowDown size={14} aria-hidden /> Jump to live{follow.missed > 0 ? ` (${follow.missed} new)` : ""}
        </Button>
      )}
    </>
  );
}

/** Whether a picture has been drawn since the value changed: what was opened has been scrolled to by then. */
function useNextPicture(value: unknown): boolean {
  const [drawn, setDrawn] = useState<unknown>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(value));
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return drawn === value;
}

/** How many turns there are but for those that were put before the first ones: it grows with what is new alone. */
function useAdded(turns: readonly ConversationEntry[], { opened }: LoadedPart): number {
  const [firstTurn, setFirstTurn] = useState({ opened, id: turns[0]?.id ?? 0 });
  if (firstTurn.opened !== opened) setFirstTurn({ opened, id: turns[0]?.id ?? 0 });
  return turns.length - findTurnIndex(turns, firstTurn.id);
}

const toRowId = (id: number): string => `turn-${id}`;
