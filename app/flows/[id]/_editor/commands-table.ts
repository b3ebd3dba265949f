import { arrangeCommands } from "./commands/arrange-commands";
import { editCommands, textCommands } from "./commands/edit-commands";
import type { EditorCommand } from "./commands/editor-command";
import { fileCommands } from "./commands/file-commands";
import { insertCommands } from "./commands/insert-commands";
import { runCommands } from "./commands/run-commands";
import { themeCommands, viewCommands } from "./commands/view-commands";
import type { Session } from "./session";

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
