import { indexNodes } from "@/app/_canvas/scene/node-index";
import { findMembers } from "../state/edits/node-edits";
import type { Session } from "../state/session";

/** The groups of commands, in the order in which people are shown them. */
export const commandGroups = ["Run", "Insert", "Edit", "Arrange", "View", "File", "Theme"] as const;
export type CommandGroup = (typeof commandGroups)[number];

/** Something that the editor can do, whoever asks: the palette, a key, the list of shortcuts. */
export interface EditorCommand {
  id: string;
  title: string;
  group: CommandGroup;
  /** The keys as people read them, e.g. `Ctrl Shift Z`; several ways are divided by a comma and a space. */
  keys?: string;
  /** Other words that people may look for. */
  words?: string;
  run(session: Session): void;
  /** Whether it can do anything just now; missing: always. */
  when?(session: Session): boolean;
}

/** What the commands ask of the editor. */
export const stateOf = ({ editor }: Session) => editor.store.getState();
export const activeOf = (session: Session) => stateOf(session).selection.at(-1);
export const hasSelection = (session: Session): boolean => stateOf(session).selection.length > 0;
export const hasMembers =
  (least: number) =>
  (session: Session): boolean => {
    const { arrangement, selection } = stateOf(session);
    return (findMembers(indexNodes(arrangement), selection)?.names.length ?? 0) >= least;
  };
