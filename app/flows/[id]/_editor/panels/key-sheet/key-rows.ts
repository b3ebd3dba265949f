import { commandGroups } from "../../commands/editor-command";
import { editorCommands } from "../../commands/registry";

/** One line of the sheet. */
export interface KeyRow {
  group: string;
  title: string;
  keys: string;
}

const row =
  (group: string) =>
  ([keys, title]: readonly [keys: string, title: string]): KeyRow => ({ group, title, keys });

/** Keys that are no commands: they move, select and leave. */
const otherRows: readonly KeyRow[] = [
  ...(
    [
      ["↓, ↑", "Next and previous step of the series, whichever way the picture runs"],
      ["→, ←", "Lane beside, in parallel"],
      ["Home, End", "First and last card"],
      ["Space", "Select the card, or let go of it"],
      ["Shift ↓, Shift →", "Select more"],
      ["Enter", "Open the inspector; on a note, write"],
      ["E", "Walk the links of the card; then Enter or + inserts, Del cuts"],
      ["C", "Connect: pick the target with the arrow keys, then press Enter"],
      ["Alt Shift ↓", "Move the card or note by hand, any arrow"],
      ["Ctrl Shift ↓", "Make the note larger or smaller, any arrow"],
      ["Esc", "Out to the group, to the flow, to the toolbar; from the inspector to the canvas"],
    ] as const
  ).map(row("Canvas")),
  ...(
    [
      ["↓, ↑, Home, End", "Move; typing a name goes to it"],
      ["→, ←", "Open and close, go in and out"],
      ["Shift ↓, Ctrl Space", "Select more"],
      ["Enter", "Edit it in the inspector; Esc comes back"],
      ["F2", "Rename in place"],
      ["Alt ↑, Alt ↓", "Move among its own"],
      ["Alt ←, Alt →", "Move out of its group, or into what stands before it"],
      ["Shift F10", "Everything that can be done with the row"],
    ] as const
  ).map(row("Outline")),
];

/** Every key of the editor, group by group. */
export const keyRows: readonly KeyRow[] = [
  ...otherRows,
  ...commandGroups.flatMap((group) =>
    editorCommands.flatMap(({ group: own, title, keys }) =>
      own === group && keys !== undefined ? [{ group, title, keys }] : [],
    ),
  ),
];

/** The rows that hold every word of `query`, in their groups. */
export function findKeyRows(rows: readonly KeyRow[], query: string): Map<string, KeyRow[]> {
  const words = query.toLowerCase().split(/\s+/);
  const groups = new Map<string, KeyRow[]>();
  for (const found of rows) {
    const text = `${found.group} ${found.title} ${found.keys}`.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    groups.set(found.group, [...(groups.get(found.group) ?? []), found]);
  }
  return groups;
}
