import * as Y from "yjs";
import { applyChanges } from "@/lib/core/flow/text-change";
import type { TextChange } from "@/lib/core/flow/text-range";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { WrittenRange } from "@/lib/core/live/rivals";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../../editing/editing";
import type { Session } from "../../session";
import { type RivalValues, unquote } from "./rival-names";
import { losersOf } from "./settle-choices";

interface WrittenPart {
  /** Where it was. */
  anchor: Y.RelativePosition;
  text: string;
}

/** A value or name of this user that gave way to another person's. */
interface GivenUp extends WrittenPart {
  key: string;
  isName: boolean;
  /** Where a name was used. */
  uses: readonly WrittenPart[];
  at: number;
}

/** Later a field is empty because someone emptied it. */
const maxAgeMs = 30_000;

const givenUp = new WeakMap<Y.Doc, readonly GivenUp[]>();

const listGivenUp = (doc: Y.Doc): readonly GivenUp[] =>
  (givenUp.get(doc) ?? []).filter(({ at }) => Date.now() - at < maxAgeMs);

/** Remembers the values and names of this user that are about to give way. */
export function rememberGivenUp(doc: Y.Doc, choices: readonly RivalValues[]): void {
  const source = doc.getText("source");
  const toPart = ({ from: start, text }: WrittenRange): WrittenPart => ({
    anchor: Y.createRelativePositionFromTypeIndex(source, start),
    text: text.trim(),
  });
  const listOwn = ({ values, kept }: RivalValues): WrittenRange[] =>
    losersOf(values, kept).filter(({ client }) => isOwnClient(doc, client));
  const used = choices.filter(({ isReference }) => isReference).flatMap(listOwn);
  const given = choices.flatMap((choice) => {
    const { key, isName = false, isReference } = choice;
    if (isReference) return [];
    return listOwn(choice).map((range): GivenUp => {
      const uses = isName ? used.filter(({ text }) => unquote(text) === unquote(range.text)).map(toPart) : [];
      return { ...toPart(range), key, isName, uses, at: Date.now() };
    });
  });
  if (given.length > 0) givenUp.set(doc, [...listGivenUp(doc), ...given]);
}

/**
 * Writes a value or name again that has none in its place any more: it gave way to one that someone else had replaced, who gave
 * way to this one. Of several that are written again one stays. Returns whether there was a name, so that its members are settled.
 */
export function restoreGivenUp(session: Session, doc: Y.Doc): boolean {
  const given = listGivenUp(doc);
  if (given.length === 0) return false;
  const restored = new Set(given.filter((one) => restore(session, doc, one)));
  if (restored.size > 0)
    givenUp.set(
      doc,
      given.filter((one) => !restored.has(one)),
    );
  return [...restored].some(({ isName }) => isName);
}

/** Whether nothing is between a colon and the end of its entry. */
const isBlankValue = (text: string, offset: number): boolean =>
  /:[ \t]*$/.test(text.slice(Math.max(0, offset - 20), offset)) &&
  /^[ \t]*(?:[\r\n,}#]|$)/.test(text.slice(offset, offset + 20));

/** Whether nothing is before the colon of an entry. */
const isBlankKey = (text: string, offset: number): boolean =>
  /(?:^|[\n{,])[ \t]*$/.test(text.slice(Math.max(0, offset - 200), offset)) &&
  /^[ \t]*:/.test(text.slice(offset, offset + 20));

/** Whether no word is at a place of the text, where someone may have written another name. A name after a dot follows a word. */
const isBlankUse = (text: string, offset: number, written: string): boolean =>
  !/^[\p{L}\p{N}_]/u.test(text.slice(offset, offset + 2)) &&
  (/^[.[]/.test(written) || !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, offset - 2), offset)));

function restore({ editor }: Session, doc: Y.Doc, one: GivenUp): boolean {
  const { text, layout, document } = editor.store.getState();
  const place = (part: WrittenPart): number | undefined =>
    Y.createAbsolutePositionFromRelativePosition(part.anchor, doc)?.index;
  const start = place(one);
  if (start === undefined || !(isBlankValue(text, start) || (one.isName && isBlankKey(text, start)))) return false;
  const first = { from: start, to: start, insert: text[start - 1] === ":" ? ` ${one.text}` : one.text };
  const uses = one.uses.flatMap((part): TextChange[] => {
    const offset = place(part);
    return offset !== undefined && isBlankUse(text, offset, part.text)
      ? [{ from: offset, to: offset, insert: part.text }]
      : [];
  });
  const changes = [first, ...uses].toSorted((a, b) => a.from - b.from);
  const restored = getEditing().readSource(applyChanges(text, changes), undefined, toDocument(document));
  const before = changes.reduce((sum, { from, insert }) => (from < start ? sum + insert.length : sum), 0);
  const isAlone = stands(restored, one, start + before, first.insert.length);
  if (isAlone) editor.receive(changes, layout);
  return isAlone;
}

function stands(
  restored: SourceDocument,
  { key, text: written, isName }: GivenUp,
  from: number,
  length: number,
): boolean {
  const range = { from, to: from + length };
  if (
    isName &&
    getEditing().findNameAt(restored, { from: range.to - written.length, to: range.to }) === unquote(written)
  )
    return true;
  const choice = getEditing().findChoiceAt(restored, range);
  return choice?.key === key && restored.text.slice(choice.range.from, choice.range.to).trim() === written;
}
