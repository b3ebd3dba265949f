import * as Y from "yjs";
import type { TextChange } from "../flow/text-range";
import { firstSharedClient, forgetPlaces } from "./shared-text";

/** Ids from here on are of marks: they are above all others, and those of lines with less indentation are above those with more. */
const firstMarkClient = 2 ** 52 + 2 ** 33;
/** More indentation counts as this. */
const maxIndentation = 100;

function toMarkClient({ clientID: client }: Y.Doc, insert: string): number {
  const indentation = /^\r?\n\s*?( *)\S/.exec(insert)?.[1]?.length ?? 0;
  return firstMarkClient + (maxIndentation - Math.min(indentation, maxIndentation)) * firstSharedClient + client;
}

/** Whether a change of a text adds lines at the end of a line. */
export function addsLines(before: string, { from: start, to: end, insert }: TextChange): boolean {
  const [lineBreak = ""] = /^\r?\n(?=\s*\S)/.exec(insert) ?? [];
  return start === end && lineBreak !== "" && (start === before.length || before.startsWith(lineBreak, start));
}

/**
 * Adds lines at the end of a line. What others type there at the same time stays in the line: Yjs orders what begins at one place
 * by ids, so the lines begin with a letter that is deleted at once, and has an id above all that people write with. Lines of an
 * entry come before another entry that others add.
 */
export function insertLines(doc: Y.Doc, { from: start, insert }: TextChange): void {
  const text = doc.getText("source");
  doc.transact((transaction) => {
    insertMark(transaction, start, toMarkClient(doc, insert));
    text.insert(start + 1, insert);
    text.delete(start, 1);
  });
}

function insertMark(transaction: Y.Transaction, offset: number, client: number): void {
  const { doc } = transaction;
  const text = doc.getText("source");
  let [left, right, rest]: [Y.Item | null, Y.Item | null, number] = [null, text._start, offset];
  while (right && rest > 0) {
    if (!right.deleted && right.countable) {
      if (rest < right.length) Y.getItemCleanStart(transaction, Y.createID(right.id.client, right.id.clock + rest));
      rest -= right.length;
    }
    [left, right] = [right, right.right];
  }
  const id = Y.createID(client, Y.getState(doc.store, client));
  const [origin, rightOrigin] = [left?.lastId ?? null, right?.id ?? null];
  new Y.Item(id, left, origin, right, rightOrigin, text, null, new Y.ContentString("#")).integrate(transaction, 0);
  forgetPlaces(text);
}
