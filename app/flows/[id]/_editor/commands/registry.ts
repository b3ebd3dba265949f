import type { Session } from "../state/session";
import { arrangeCommands } from "./arrange-commands";
import { editCommands, textCommands } from "./edit-commands";
import type { EditorCommand } from "./editor-command";
import { fileCommands } from "./file-commands";
import { insertCommands } from "./insert-commands";
import { runCommands } from "./run-commands";
import { themeCommands, viewCommands } from "./view-commands";

/** Every command of the editor, once. */
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

/** The commands that can do something just now. */
export const usableCommands = (session: Session): EditorCommand[] =>
  editorCommands.filter(({ when }) => when?.(session) ?? true);
