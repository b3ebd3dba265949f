import { type KeyboardEvent, type MouseEvent, useEffect, useState } from "react";
import { findBoundary } from "@/lib/core/flow/find-boundary";
import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { toListRow } from "../../_ui/keys/list-keys";
import { type ConversationQuery, fromBeginning, fromEnd } from "../source/turn-source";
import type { Turns } from "./use-turns";

interface ActiveTurnOf {
  turns: readonly ConversationEntry[];
  feed: Turns;
  selected: number | null;
  onSelect(nodeId: number): void;
  virtual: { scrollToIndex(index: number, options?: { align: Align }): void };
}

type Align = "auto" | "center" | "end";

export const findTurnIndex = (turns: readonly ConversationEntry[], id: number): number =>
  findBoundary(turns.length, (index) => (turns[index]?.id ?? 0) >= id);

function findOpenedIndex(turns: readonly ConversationEntry[], opened: ConversationQuery): number {
  if ("before" in opened) return turns.length - 1;
  if (!("node" in opened)) return 0;
  // A step without a turn of its own is represented by the first turn below it.
  return Math.max(0, findNodeIndex(turns, opened.node) ?? turns.findIndex(({ node }) => node > opened.node));
}

function findNodeIndex(turns: readonly ConversationEntry[], id: number | null): number | null {
  const index = turns.findIndex(({ node }) => node === id);
  return index < 0 ? null : index;
}

export function useActiveTurn({ turns, feed, selected, onSelect, virtual }: ActiveTurnOf) {
  const { opened, hasEarlier, hasMore, open } = feed;
  const [activeId, setActiveId] = useState(0);
  const [applied, setApplied] = useState<{ selected: number | null; opened: Turns["opened"] }>({
    selected,
    opened: null,
  });
  const [jump, setJump] = useState<{ to: number; align: Align } | null>(null);
  const last = turns.length - 1;
  const active = Math.min(findTurnIndex(turns, activeId), last);
  const goTo = (index: number): void => setActiveId(turns[index]?.id ?? 0);
  if (opened && applied.opened !== opened) {
    const to = findOpenedIndex(turns, opened);
    goTo(to);
    setJump({ to, align: "before" in opened ? "end" : "center" });
    setApplied({ selected, opened });
  } else if (applied.selected !== selected) {
    const to = turns[active]?.node === selected ? null : findNodeIndex(turns, selected);
    if (to !== null) {
      goTo(to);
      setJump({ to, align: "auto" });
    }
    setApplied({ selected, opened });
  }
  useEffect(() => {
    if (jump) virtual.scrollToIndex(jump.to, { align: jump.align });
  }, [jump, virtual]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const turn = turns[active];
    const to = toListRow(event.key, active, turns.length);
    if (event.key === "End" && hasMore) open(fromEnd);
    else if (event.key === "Home" && hasEarlier) open(fromBeginning);
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
