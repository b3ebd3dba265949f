import { useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";
import { type ConversationEntry, laneOf } from "@/lib/core/trace/conversation/conversation-entries";
import { JumpToLive, useFollow } from "../hooks/use-follow";
import { fromEnd } from "../source/turn-source";
import type { ConversationLane } from "./lanes";
import { TurnRow } from "./turn-row";
import { findTurnIndex, useActiveTurn } from "./use-active-turn";
import type { Turns } from "./use-turns";

export interface TurnListProps {
  turns: readonly ConversationEntry[];
  /** The columns; empty: the turns form one list. */
  lanes: readonly ConversationLane[];
  feed: Turns & {
    colorOf(name: string): string;
    /** Of tasks that repeat the text of another turn, which one that is. */
    repeated: ReadonlyMap<number, string>;
  };
  time: ConversationTime;
  selected: number | null;
  onSelect(nodeId: number): void;
}

/** In milliseconds since the epoch. */
export interface ConversationTime {
  began: number;
  /** Later turns are dimmed; null: none are. */
  until: number | null;
  live: boolean;
}

const loadAheadTurns = 20;

/** The turns in view. One Tab stop; arrows move between turns, Enter selects the step. */
export function TurnList({ turns, lanes, feed, time, selected, onSelect }: TurnListProps) {
  "use no memo"; // The virtualizer is mutable.
  const { opened, hasEarlier, hasMore, colorOf, repeated } = feed;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useTurnVirtualizer(turns, scroller);
  const { active, ...handlers } = useActiveTurn({ turns, feed, selected, onSelect, virtual });
  const follow = useFollow(scroller, {
    count: useAddedCount(turns, opened),
    live: time.live,
    hasEnd: !hasMore,
    size: virtual.getTotalSize(),
  });
  const items = virtual.getVirtualItems();
  useLoadNearEdges(turns.length, items, feed);
  const activeTurn = items.some(({ index }) => index === active) ? turns[active] : undefined;
  const toRow = ({ index, start }: VirtualItem) => {
    const turn = turns[index];
    if (!turn) return null;
    const column = lanes.findIndex(({ key }) => key === laneOf(turn.agent.path));
    return (
      <TurnRow
        key={turn.id}
        id={toRowId(turn.id)}
        turn={{ ...turn, repeats: repeated.get(turn.id) }}
        color={colorOf(turn.agent.name)}
        row={{ index, top: start, columns: lanes.length, column, measure: virtual.measureElement }}
        elapsedMs={turn.at - time.began}
        state={{ isActive: index === active, isSelected: turn.node === selected, isLater: isLater(turn, time) }}
      />
    );
  };
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label="Conversation"
        aria-rowcount={hasEarlier || hasMore ? -1 : turns.length}
        aria-activedescendant={activeTurn && toRowId(activeTurn.id)}
        tabIndex={0}
        {...handlers}
        className="group/turns min-h-0 flex-1 overflow-y-auto overflow-x-hidden pt-2 -outline-offset-2"
      >
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(toRow)}
        </div>
      </div>
      <JumpToLive
        missed={follow.missed}
        onJump={() => {
          if (hasMore) feed.open(fromEnd);
          follow.resume();
        }}
      />
    </>
  );
}

function useTurnVirtualizer(turns: readonly ConversationEntry[], scroller: RefObject<HTMLElement | null>) {
  "use no memo"; // The virtualizer is mutable.
  return useVirtualizer<HTMLElement, HTMLElement>({
    count: turns.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => turns[index]?.id ?? index,
    estimateSize: () => 96,
    overscan: 6,
    initialRect: { width: 800, height: 800 },
    // What is in view must not move when earlier turns are added.
    anchorTo: "end",
  });
}

function useLoadNearEdges(count: number, items: readonly VirtualItem[], feed: Turns): void {
  const { opened, loadNext, loadEarlier } = feed;
  const isNearEnd = (items.at(-1)?.index ?? 0) >= count - loadAheadTurns;
  const isNearStart = (items[0]?.index ?? count) < loadAheadTurns;
  const isScrolledTo = useAfterNextFrame(opened);
  useEffect(() => {
    if (!isScrolledTo) return;
    if (isNearEnd) loadNext?.();
    if (isNearStart) loadEarlier?.();
  }, [isScrolledTo, isNearEnd, isNearStart, loadNext, loadEarlier]);
}

function useAfterNextFrame(value: unknown): boolean {
  const [drawn, setDrawn] = useState<unknown>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(value));
    return () => cancelAnimationFrame(frame);
  }, [value]);
  return drawn === value;
}

function useAddedCount(turns: readonly ConversationEntry[], opened: Turns["opened"]): number {
  const [firstTurn, setFirstTurn] = useState({ opened, id: turns[0]?.id ?? 0 });
  if (firstTurn.opened !== opened) setFirstTurn({ opened, id: turns[0]?.id ?? 0 });
  return turns.length - findTurnIndex(turns, firstTurn.id);
}

const isLater = ({ at }: ConversationEntry, { until }: ConversationTime): boolean => until !== null && at > until;

const toRowId = (id: number): string => `turn-${id}`;
