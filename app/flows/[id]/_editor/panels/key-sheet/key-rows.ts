import { describePaneKeys, type PaneKeys } from "@/app/_ui/keys/key-chord";
import { groupBy } from "@/lib/core/flow/group-by";
import { commandGroups, keysOf } from "../../commands/editor-command";
import { commandKeys, editorCommands } from "../../commands/registry";
import { canvasKeys } from "../canvas/canvas-keys";
import { outlineKeys } from "../outline/outline-keys";

export interface ShortcutRow {
  group: string;
  title: string;
  keys: string;
}

const toRows = <Context>(group: string, keys: readonly PaneKeys<Context>[]): ShortcutRow[] =>
  keys.map((entry) => ({ group, title: entry.title, keys: describePaneKeys(entry) }));

export const keyRows: readonly ShortcutRow[] = [
  ...toRows("Canvas", canvasKeys),
  {
    group: "Canvas",
    title: "Connect: choose the target with the arrow keys, then press Enter",
    keys: commandKeys("connect"),
  },
  ...toRows("Outline", outlineKeys),
  ...commandGroups.flatMap((group) =>
    editorCommands.flatMap((command) => {
      const keys = command.group === group ? keysOf(command) : undefined;
      return keys === undefined ? [] : [{ group, title: command.title, keys }];
    }),
  ),
];

export function findKeyRows(rows: readonly ShortcutRow[], query: string): Map<string, ShortcutRow[]> {
  const words = query.toLowerCase().split(/\s+/);
  const matches = rows.filter(({ group, title, keys }) => {
    const text = `${group} ${title} ${keys}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return groupBy(matches, ({ group }) => group);
}
