import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent } from "react";
import { singleKeysAreOn } from "../../_ui/keys/single-keys";
import { flowLinks } from "./flow-actions";

interface ListKeys {
  search: RefObject<HTMLInputElement | null>;
  onNew(): void;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches("input, textarea, select, [contenteditable=true]");

/** `/` goes to the search and N makes a flow, wherever the focus is outside a text field or a dialog. */
export function useListKeys({ search, onNew }: ListKeys): void {
  const press = useEffectEvent((event: globalThis.KeyboardEvent): void => {
    const isModified = event.ctrlKey || event.metaKey || event.altKey;
    if (isModified || isTyping(event.target) || document.querySelector("[role=dialog], [role=menu]")) return;
    if (!singleKeysAreOn()) return;
    if (event.key === "/") search.current?.focus();
    else if (event.key.toLowerCase() === "n" && !event.repeat) onNew();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Arrows, Home and End move between the flows, which are in rows. */
export function walkFlows(event: KeyboardEvent): void {
  const links = flowLinks();
  const index = event.target instanceof HTMLElement ? links.indexOf(event.target) : -1;
  const [first, second] = [links[0], links.find((link) => topOf(link) !== topOf(links[0]))];
  if (index < 0 || !first || event.ctrlKey || event.metaKey || event.altKey) return;
  const perRow = second ? links.indexOf(second) : links.length;
  const targets = new Map([
    ["ArrowRight", index + 1],
    ["ArrowLeft", index - 1],
    ["ArrowDown", index + perRow],
    ["ArrowUp", index - perRow],
    ["Home", 0],
    ["End", links.length - 1],
  ]);
  const next = links[targets.get(event.key) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const topOf = (link: HTMLElement | undefined): number => Math.round(link?.getBoundingClientRect().top ?? 0);
