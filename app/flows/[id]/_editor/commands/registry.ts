import type { KeyStroke } from "@/app/_ui/keys/key-chord";
import { findBinding, type KeyChord, type KeyScope } from "@/app/_ui/keys/key-chord";
import type { Session } from "../state/session";
import { arrangeCommands } from "./arrange-commands";
import { editCommands, textCommands } from "./edit-commands";
import { type EditorCommand, keysOf } from "./editor-command";
import { fileCommands } from "./file-commands";
import { insertCommands } from "./insert-commands";
import { runCommands } from "./run-commands";
import { themeCommands, viewCommands } from "./view-commands";

export const editorCommands: readonly EditorCommand[] = [
  ...runCommands,
  ...insertCommands,
  ...editCommands,
  ...textCommands,
  ...arrangeCommands,
  ...viewCommands,
  ...fileCommands,
  ...themeCommands,
];

const commandsById = new Map(editorCommands.map((command) => [command.id, command]));

export function getCommand(id: string): EditorCommand {
  const command = commandsById.get(id);
  if (!command) throw new Error(`There is no command "${id}".`);
  return command;
}

export const isAllowed = ({ needs }: EditorCommand, { access }: Session): boolean =>
  needs === undefined || access[needs];

export const isEnabled = (command: EditorCommand, session: Session): boolean =>
  isAllowed(command, session) && (command.when?.(session) ?? true);

export const usableCommands = (session: Session): EditorCommand[] =>
  editorCommands.filter((command) => isEnabled(command, session));

export const commandKeys = (id: string): string => keysOf(getCommand(id)) ?? "";

const bindingsOf = (scope: KeyScope): ReadonlyMap<KeyChord, EditorCommand> =>
  new Map(editorCommands.flatMap((command) => (command.chords?.[scope] ?? []).map((chord) => [chord, command])));
const bindings = { editor: bindingsOf("editor"), canvas: bindingsOf("canvas"), outline: bindingsOf("outline") };

export const findCommand = (stroke: KeyStroke, scope: keyof typeof bindings, singleKeys = true): EditorCommand | null =>
  findBinding(bindings[scope], stroke, { scope, singleKeys });
