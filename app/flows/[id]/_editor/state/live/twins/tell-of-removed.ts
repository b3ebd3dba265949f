import type * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { Rivals } from "@/lib/core/live/rivals";
import { readWithout } from "@/lib/core/settle/read-without";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../../editing/editing";
import type { Session } from "../../session";
import { isThere } from "../find-twin";
import type { MetText } from "../live";
import { labelField } from "./label-field";
import { nameOnlyOther } from "./name-only-other";

/** Shorter ones also meet where two people type at the same time: each sees what happens. */
const minMetLength = 12;

/** Remembers the texts of this user beside which someone wrote another one, who is asked which of them should stay. */
export function rememberMet({ editor, live }: Session, doc: Y.Doc, rivals: readonly Rivals[]): void {
  const document = toDocument(editor.store.getState().document);
  const met = rivals.flatMap(({ first, second }): MetText[] => {
    const [own, other] = isOwnClient(doc, first.client) ? [first, second] : [second, first];
    const field = isOwnClient(doc, own.client) ? getEditing().findTextAt(document, own) : null;
    if (!field) return [];
    // Of a condition two people often change a few letters.
    if (getEditing().isCondition(document, field)) {
      const { alone } = readWithout(document, [other]);
      return [{ field, text: toOneLine(getEditing().readField(alone, field)), isCondition: true }];
    }
    return own.text.trim().length >= minMetLength ? [{ field, text: toOneLine(own.text) }] : [];
  });
  if (met.length > 0) live.store.setState((state) => ({ met: [...state.met, ...met] }));
}

/** Remembers the text that this user keeps in answer to a question: another person's question may take it out again. */
export function rememberKept({ editor, live }: Pick<Session, "editor" | "live">, field: Edit, text: string): void {
  const isCondition = getEditing().isCondition(toDocument(editor.store.getState().document), field);
  const kept: MetText = { field, text: toOneLine(text), ...(isCondition && { isCondition }) };
  if (isCondition || kept.text.length >= minMetLength) live.store.setState(({ met }) => ({ met: [...met, kept] }));
}

/** Tells this user of texts that someone else has removed since, with one change. */
export function tellOfRemoved({ editor, live, notify }: Session, seen: SourceDocument): void {
  const { met } = live.store.getState();
  const now = toDocument(editor.store.getState().document);
  if (met.length === 0 || now.broken || seen.broken) return;
  const removed = met.filter(({ field, text, isCondition }) => {
    if (!isThere(seen, field) || !isThere(now, field)) return false;
    const [before = "", after = ""] = [seen, now].map((document) => toOneLine(getEditing().readField(document, field)));
    if (!before.includes(text) || after.includes(text)) return false;
    if (isCondition) return true;
    // A correction leaves most of it.
    const gone = diffLetters(before, after).reduce((count, { from: start, to: end }) => count + end - start, 0);
    return gone * 2 >= text.length;
  });
  if (removed.length === 0) return;
  live.store.setState({ met: met.filter((one) => !removed.includes(one)) });
  const messages = removed.map(({ field, isCondition }) =>
    isCondition
      ? `${nameOnlyOther(live)} replaced your ${labelField(field)}.`
      : `${nameOnlyOther(live)} removed your text from the ${labelField(field)}.`,
  );
  for (const message of new Set(messages)) notify.info(message);
}

const toOneLine = (text: string): string => text.trim().replace(/\s+/g, " ");
