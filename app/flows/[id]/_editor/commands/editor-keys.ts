/** What a key asks for wherever the focus is: the ids of commands. */
export type EditorKey =
  | "run"
  | "palette"
  | "text-pane"
  | "next-problem"
  | "previous-problem"
  | "mend-problem"
  | "undo"
  | "redo";

const withControl: ReadonlyMap<string, EditorKey> = new Map([
  [".", "mend-problem"],
  ["enter", "run"],
  ["\\", "text-pane"],
  ["k", "palette"],
  ["z", "undo"],
  ["y", "redo"],
]);

type Stroke = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/** Reads a key stroke; null: it means nothing to the editor as a whole. */
export function readEditorKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Stroke): EditorKey | null {
  if (altKey) return null;
  const name = key.toLowerCase();
  if (name === "f8") return shiftKey ? "previous-problem" : "next-problem";
  if (!ctrlKey && !metaKey) return null;
  return name === "z" && shiftKey ? "redo" : (withControl.get(name) ?? null);
}
