import type { KeyChord, KeyScope } from "@/app/_ui/keys/key-chord";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { isFoldable } from "@/lib/core/layout/folded-agents";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { findMembers } from "../state/edits/node-edits";
import type { Session } from "../state/session";

export const commandGroups = ["Run", "Insert", "Edit", "Arrange", "View", "File", "Theme"] as const;
type CommandGroup = (typeof commandGroups)[number];

/** One command of the editor, for the palette, menus, toolbars, keys and the list of shortcuts. */
export interface EditorCommand {
  id: string;
  title: string;
  group: CommandGroup;
  chords?: Readonly<Partial<Record<KeyScope, readonly KeyChord[]>>>;
  /** Where the focused element keeps the chord for itself. */
  disabledIn?: "dialog" | "text-field";
  words?: string;
  /** `target`: the node that keys act on, null when there is none; missing for commands of the palette and menus. */
  run(session: Session, target?: NodeKey | null): void;
  /** What the user must be allowed to do; missing: nothing. */
  needs?: "mayEdit" | "mayRun";
  /** Whether it has an effect now; missing: always. */
  when?(session: Session): boolean;
}

export const inGroup = (
  group: CommandGroup,
  commands: readonly Omit<EditorCommand, "group">[],
): readonly EditorCommand[] =>
  commands.map((command) => ({ ...command, ...(group === "Insert" && { needs: "mayEdit" }), group }));

/** Bound beside the key that the list shows. */
const aliases: readonly KeyChord[] = ["Backspace"];

/** The chords of a command that are shown, in one scope or in all. */
export const chordsOf = ({ chords = {} }: EditorCommand, scope?: KeyScope): KeyChord[] => {
  const all = scope === undefined ? Object.values(chords).flat() : (chords[scope] ?? []);
  return [...new Set(all)].filter((chord) => !aliases.includes(chord));
};

/** The chords as users read them, divided by commas; undefined: it has none. */
export const keysOf = (command: EditorCommand, scope?: KeyScope): string | undefined =>
  chordsOf(command, scope).join(", ") || undefined;

export const stateOf = ({ editor }: Session) => editor.store.getState();
export const activeOf = (session: Session) => stateOf(session).selection.at(-1);
export const hasSelection = (session: Session): boolean => stateOf(session).selection.length > 0;
export const hasMembers =
  (least: number) =>
  (session: Session): boolean => {
    const { arrangement, selection } = stateOf(session);
    return (findMembers(indexNodes(arrangement), selection)?.names.length ?? 0) >= least;
  };

/** The selected nodes that can be folded, or that are. */
export function selectedFolds(session: Session, isFolded: boolean): NodeKey[] {
  const { arrangement, flow, selection } = stateOf(session);
  const nodes = indexNodes(arrangement);
  return selection.filter((key) => {
    const node = nodes.get(key);
    return node && (isFolded ? node.folded === true : node.frame && isFoldable(flow, node.name));
  });
}
