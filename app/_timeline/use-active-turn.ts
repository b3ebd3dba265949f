"use client";
import { type KeyboardEvent, type MouseEvent, useEffect, useState } from "react";
import type { Turn } from "@/lib/core/trace/turns";

interface ActiveTurnOf {
  turns: readonly Turn[];
  /** The selected step. */
  selected: number | null;
  onSelect(nodeId: number): void;
  virtual: { scrollToIndex(index: number): void };
}

/** Which turn the keys are at, and what keys and clicks do. A step that is selected elsewhere brings its first turn into view. */
export function useActiveTurn({ turns, selected, onSelect, virtual }: ActiveTurnOf) {
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<number | null>(null);
  const [jump, setJump] = useState<number | null>(null);
  // End goes on to the end of the run: what is not here yet is loaded on the way.
  const [toEnd, setToEnd] = useState(false);
  const last = turns.length - 1;
  const active = toEnd ? last : Math.min(at, last);
  if (shown !== selected) {
    setShown(selected);
    const place = turns[active]?.node === selected ? -1 : turns.findIndex(({ node }) => node === selected);
    if (place >= 0) {
      setToEnd(false);
      setAt(place);
      setJump(place);
    }
  }
  useEffect(() => {
    if (jump !== null) virtual.scrollToIndex(jump);
  }, [jump, virtual]);
  useEffect(() => {
    if (toEnd) virtual.scrollToIndex(last);
  }, [toEnd, last, virtual]);
  const goTo = (index: number): void => {
    setToEnd(false);
    setAt(index);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const turn = turns[active];
    const to = toPlace(event.key, active, turns.length);
    if (event.key === "End") setToEnd(true);
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
  const onWheel = (): void => {
    if (toEnd) goTo(last);
  };
  return { active, onKeyDown, onClick, onWheel };
}

/** Where a key leads among so many turns; null: nowhere. */
function toPlace(key: string, at: number, count: number): number | null {
  const places = new Map([
    ["ArrowDown", at + 1],
    ["ArrowUp", at - 1],
    ["Home", 0],
  ]);
  const to = places.get(key);
  return to === undefined ? null : Math.min(Math.max(to, 0), count - 1);
}
