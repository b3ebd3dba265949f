import { renameInKey } from "@/lib/core/flow/node-key";
import { isNoteKey } from "@/lib/core/flow/note";
import type { SettledStructure } from "@/lib/core/settle/settle-structure";
import type { Session } from "../../session";

/** Lets this user's selection follow what was renamed, and tells of what was settled. */
export function tellOfStructure(session: Session, { renamed, renamedVariables, arrangedBy }: SettledStructure): void {
  const { editor, notify } = session;
  for (const { name, was } of renamed) {
    if (!was) continue;
    const { selection } = editor.store.getState();
    editor.store.setState({
      selection: selection.map((key) => (isNoteKey(key) ? key : renameInKey(key, was.name, name))),
    });
    notify.info(`Someone else added "${was.name}" at the same time. Yours is called "${name}" now.`);
  }
  for (const { name, was } of renamedVariables)
    if (was)
      notify.info(
        `Someone else gave a variable the name "${was.name}" at the same time. Yours is called "${name}" now.`,
      );
  for (const author of arrangedBy)
    notify.info(
      `${author ?? "Someone else"} arranged the same steps at the same time, so your arrangement was not kept. Do it again where you want it.`,
    );
}
