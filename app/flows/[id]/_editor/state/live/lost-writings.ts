import type * as Y from "yjs";
import type { Layout } from "@/lib/core/flow/edit";
import { findAuthor } from "@/lib/core/live/authors";
import type { LostText, OwnText } from "@/lib/core/live/deleted-entries";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing } from "../editing/editing";
import type { LostWriting } from "./live";

/** This user's own letters in what others deleted, in the flow as this user saw it before. */
export interface SeenTexts {
  document: SourceDocument;
  layout: Layout;
  own: readonly OwnText[];
}

interface OwnLetters {
  owner: string;
  by: number;
  text: string;
}

/** What this user wrote in deleted parts of the flow: the whole text of each field, else the letters. */
export function listWritings(
  doc: Y.Doc,
  { lost, seen }: { lost: readonly LostText[]; seen: SeenTexts | null },
): LostWriting[] {
  const letters = lost.flatMap(({ client, title, by, text }): OwnLetters[] =>
    isOwnClient(doc, client) ? [{ owner: title, by, text }] : [],
  );
  const fields = seen ? listFields(seen) : [];
  const shown = fields.length > 0 ? fields : joinByOwner(letters);
  return shown.flatMap(({ owner, by, text }): LostWriting[] => {
    if (text.trim() === "") return [];
    const type = seen?.document.declarations.get(owner)?.type;
    const before = seen && type ? { source: seen.document.text, layout: seen.layout, type } : null;
    return [{ owner, by: findAuthor(doc, by), text: text.trim(), before }];
  });
}

/** The texts of the fields, each once; letters that are in no text as they are. */
function listFields({ document, own }: SeenTexts): OwnLetters[] {
  const { findTextAt, readField, textFieldKey } = getEditing();
  const fields = new Map<string, OwnLetters>();
  const letters: OwnLetters[] = [];
  for (const { title, by, ...range } of own) {
    const text = document.text.slice(range.from, range.to);
    if (text.trim() === "") continue;
    const edit = document.broken ? null : findTextAt(document, range);
    const key = edit && textFieldKey(document, edit);
    if (!edit || key === null) letters.push({ owner: title, by, text });
    else if (!fields.has(key)) {
      const owner = "name" in edit && document.declarations.has(edit.name) ? edit.name : title;
      fields.set(key, { owner, by, text: readField(document, edit) });
    }
  }
  return [...fields.values(), ...joinByOwner(letters)];
}

function joinByOwner(letters: readonly OwnLetters[]): OwnLetters[] {
  const joined = new Map<string, OwnLetters>();
  for (const one of letters) joined.set(one.owner, { ...one, text: (joined.get(one.owner)?.text ?? "") + one.text });
  return [...joined.values()];
}
