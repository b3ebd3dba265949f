"use client";
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from "react";
import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { fromBeginning, fromEnd, type TurnQuery } from "../source/turn-source";
import type { FeedState } from "./turn-feed";

/** What part of a conversation is here. */
export interface TurnPart extends Pick<FeedState, "earlier" | "more"> {
  opened: TurnQuery;
}

interface ActiveTurnOf {
  turns: readonly ConversationEntry[];
  part: TurnPart;
  /** The selected step. */
  selected: number | null;
  onSelect(nodeId: number): void;
  /** Shows another part instead. */
  open(query: TurnQuery): void;
  virtual: { scrollToIndex(index: number, options?: { align: Align }): void };
}

/** `auto`: as little as possible is scrolled. */
type Align = "auto" | "center" | "end";

/** The place of the first turn whose id is not below `id`. */
export function placeOfTurn(turns: readonly ConversationEntry[], id: number): number {
  let [low, high] = [0, turns.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((turns[middle]?.id ?? 0) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place that a part was opened for. */
function firstPlace(turns: readonly ConversationEntry[], opened: TurnQuery): number {
  if ("before" in opened) return turns.length - 1;
  // A step that says nothing itself is shown by what was said in it.
  return "node" in opened
    ? Math.max(0, placeOfNode(turns, opened.node) ?? turns.findIndex(({ node }) => node > opened.node))
    : 0;
}

function placeOfNode(turns: readonly ConversationEntry[], id: number | null): number | null {
  const place = turns.findIndex(({ node }) => node === id);
  return place < 0 ? null : place;
}

/** Which turn the keys are at, and what keys and clicks do. A step that is selected elsewhere brings its first turn into view. */
export function useActiveTurn({ turns, part, selected, onSelect, open, virtual }: ActiveTurnOf) {
  const { opened, earlier, more } = part;
  /** The id of the turn. */
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<{ selected: number | null; opened: TurnQuery | null }>({ selected, opened: null });
  const [jump, setJump] = useState<{ to: number; align: Align } | null>(null);
  const last = turns.length - 1;
  const active = Math.min(placeOfTurn(turns, at), last);
  if (shown.opened !== opened || shown.selected !== selected) {
    setShown({ selected, opened });
    const isHere = turns[active]?.node === selected;
    const place = shown.opened !== opened ? firstPlace(turns, opened) : isHere ? null : placeOfNode(turns, selected);
    if (place !== null) {
      setAt(turns[place]?.id ?? 0);
      setJump({ to: place, align: shown.opened === opened ? "auto" : "before" in opened ? "end" : "center" });
    }
  }
  useEffect(() => {
    if (jump) virtual.scrollToIndex(jump.to, { align: jump.align });
  }, [jump, virtual]);
  const goTo = (index: number): void => setAt(turns[index]?.id ?? 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const turn = turns[active];
    const to = toPlace(event.key, active, turns.length);
    if (event.key === "End" && more) open(fromEnd);
    else if (event.key === "Home" && earlier) open(fromBeginning);
    else if (to !== null) {
      goTo(to);
      virtual.scrollToIndex(to);
    } else if (event.key === "Enter" && turn) onSelect(turn.node);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target, currentTarget }: MouseEvent<HTMLElement>): void => {
    if (!(target instanceof Element) || target.closest("a")) return;
    const index = Number(target.closest("[data-index]")?.getAttribute("data-index") ?? Number.NaN);
    const turn = turns[index];
    if (!turn) return;
    currentTarget.focus({ preventScroll: true });
    goTo(index);
    onSelect(turn.node);
  };
  return { active, onKeyDown, onClick };
}

/** Where a key leads among so many turns; null: nowhere. */
function toPlace(key: string, at: number, count: number): number | null {
  const places = new Map([
    ["ArrowDown", at + 1],
    ["ArrowUp", at - 1],
    ["Home", 0],
    ["End", count - 1],
  ]);
  const to = places.get(key);
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1);
}
