import { type KeyboardEvent, useRef } from "react";
import { findCommand } from "../../commands/registry";
import { useSession } from "../../state/session-context";
import { findOutlineKey, findRowByPrefix, readTypedCharacter } from "./outline-keys";
import type { OutlineTree } from "./use-outline-tree";

const typingPauseMs = 600;

interface OutlineKeyOptions {
  rename(id: string): void;
  openMenu(): void;
}

export function useOutlineKeys(
  tree: OutlineTree,
  { rename, openMenu }: OutlineKeyOptions,
): (event: KeyboardEvent<HTMLElement>) => void {
  const session = useSession();
  const typed = useRef({ text: "", at: 0 });
  const goToTyped = (character: string): void => {
    const now = Date.now();
    const text = now - typed.current.at < typingPauseMs ? typed.current.text + character : character;
    typed.current = { text, at: now };
    // A single letter goes on to the next match, more letters narrow down the current one.
    const row = findRowByPrefix(tree.outline, tree.rows, tree.active + Number(text.length === 1), text);
    if (row >= 0) tree.go(row, "only");
  };
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const item = tree.outline.items[tree.rows[tree.active] ?? -1];
    const command = findCommand(event, "outline");
    const handler = command ? null : findOutlineKey(event);
    const character = command || handler ? null : readTypedCharacter(event);
    if (command) command.run(session, item?.node?.key ?? null);
    else if (handler) handler({ session, tree, item, rename, openMenu });
    else if (character !== null) goToTyped(character);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}
