import { getEditing, whenEditable } from "../state/editing/editing";
import type { Session } from "../state/session";

/** Null, with a notification, when nothing is selected. */
export function copySelection({ editor, notify }: Session): string | null {
  const text = getEditing().toClipboardText(editor.store.getState());
  if (text === null) notify.info("Select the cards or notes to copy first.");
  return text;
}

export function cutSelection(session: Session): string | null {
  const text = copySelection(session);
  if (text !== null) session.actions.deleteSelection();
  return text;
}

/** Inserts a copied fragment after the selection or into the selected link; other texts open the import preview. */
export function pasteText({ actions, notify, view }: Session, text: string): void {
  const pasted = getEditing().readPasted(text, actions.usualModel());
  if (pasted.type === "fragment") actions.insert(pasted.text, { type: "selection" }, pasted.notes);
  else if (pasted.type === "nothing") notify.info("There is no text on the clipboard.");
  else view.setState({ surface: { type: "import", text } });
}

export function duplicateSelection(session: Session): void {
  const { actions, editor } = session;
  const { selection } = editor.store.getState();
  const text = copySelection(session);
  const copied = text === null ? null : getEditing().readPasted(text, actions.usualModel());
  if (copied?.type === "fragment") actions.insert(copied.text, { type: "beside", keys: selection }, copied.notes);
}

/** Without a key press the browser has to be asked for access to the clipboard. */
export async function writeClipboard(text: string | null, { notify }: Session): Promise<void> {
  if (text === null) return;
  await navigator.clipboard.writeText(text).then(
    () => notify.info("Copied as text."),
    () => notify.error("The browser does not let this page write to the clipboard. Press Ctrl+C on the canvas."),
  );
}

export async function pasteFromClipboard(session: Session): Promise<void> {
  const text = await navigator.clipboard.readText().catch(() => null);
  if (text === null)
    session.notify.error("The browser does not let this page read the clipboard. Press Ctrl+V on the canvas.");
  else whenEditable(() => pasteText(session, text));
}
