import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { TwinPart, TwinText } from "./live";

/** Deletes one of two texts in their field. Returns whether both were still there, one after the other. */
export function dropTwin({ editor }: Pick<Session, "editor">, twin: TwinText, part: TwinPart): boolean {
  const { text } = editor.store.getState();
  const place = findTwin(editor, twin);
  if (place === null) return false;
  const [first] = twin.parts;
  const start = part === first ? place : place + first.text.length;
  const end = start + part.text.length;
  editor.typeText(text.slice(0, start) + text.slice(end), [{ from: start, to: end, insert: "" }]);
  return true;
}

/** Where the two texts begin: in their field they may be twice. */
function findTwin({ store }: Session["editor"], { field, offset, parts: [first, second] }: TwinText): number | null {
  const { text, document: lastRead } = store.getState();
  const reading = toDocument(lastRead);
  const document = reading.text === text ? reading : getEditing().readSource(text, undefined, reading);
  const letters = getEditing().findLetters(document, field);
  if (!letters) return null;
  const both = first.text + second.text;
  const expected = letters.from + offset;
  let nearest: number | null = null;
  for (let place = text.indexOf(both, letters.from); place >= 0; place = text.indexOf(both, place + 1)) {
    if (place + both.length > letters.to) break;
    if (nearest === null || Math.abs(place - expected) < Math.abs(nearest - expected)) nearest = place;
  }
  return nearest;
}
