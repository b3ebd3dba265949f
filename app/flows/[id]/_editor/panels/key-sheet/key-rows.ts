import { describePaneKeys, type PaneKeys } from "@/app/_ui/keys/key-chord";
import { commandGroups, keysOf } from "../../commands/editor-command";
import { commandKeys, editorCommands } from "../../commands/registry";
import { canvasKeys } from "../canvas/canvas-keys";
import { outlineKeys } from "../outline/outline-keys";

export interface KeyRow {
  group: string;
  title: string;
  keys: string;
}

const toRows = <Context>(group: string, keys: readonly PaneKeys<Context>[]): KeyRow[] =>
  keys.map((entry) => ({ group, title: entry.title, keys: describePaneKeys(entry) }));

export const keyRows: readonly KeyRow[] = [
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

export function findKeyRows(rows: readonly KeyRow[], query: string): Map<string, KeyRow[]> {
  const words = query.toLowerCase().split(/\s+/);
  const groups = new Map<string, KeyRow[]>();
  for (const row of rows) {
    const text = `${row.group} ${row.title} ${row.keys}`.toLowerCase();
    if (words.every((word) => text.includes(word))) groups.set(row.group, [...(groups.get(row.group) ?? []), row]);
  }
  return groups;
}
