import * as Y from "yjs";
import { applyChanges } from "@/lib/core/flow/text-change";
import { isOwnClient } from "@/lib/core/live/own-clients";
import { getEditing, toDocument } from "../../editing/editing";
import type { Session } from "../../session";
import type { RivalValues } from "./rival-names";
import { losersOf } from "./settle-choices";

/** A value of this user that gave way to another person's. `anchor`: where it was. */
interface GivenUp {
  anchor: Y.RelativePosition;
  key: string;
  text: string;
  at: number;
}

/** Later a field is empty because someone emptied it. */
const maxAgeMs = 30_000;

const givenUp = new WeakMap<Y.Doc, readonly GivenUp[]>();

const listGivenUp = (doc: Y.Doc): readonly GivenUp[] =>
  (givenUp.get(doc) ?? []).filter(({ at }) => Date.now() - at < maxAgeMs);

/** Remembers the values of this user that are about to give way. */
export function rememberGivenUp(doc: Y.Doc, choices: readonly RivalValues[]): void {
  const source = doc.getText("source");
  const given = choices.flatMap(({ key, values, isName, isReference }) =>
    isName || isReference
      ? []
      : losersOf(values).flatMap(({ client, from: start, text }): GivenUp[] =>
          isOwnClient(doc, client)
            ? [{ anchor: Y.createRelativePositionFromTypeIndex(source, start), key, text: text.trim(), at: Date.now() }]
            : [],
        ),
  );
  if (given.length > 0) givenUp.set(doc, [...listGivenUp(doc), ...given]);
}

/**
 * Writes a value again whose field has none any more: it gave way to one that someone else had replaced, who gave way to this one.
 * Of several that are written again one stays.
 */
export function restoreGivenUp(session: Session, doc: Y.Doc): void {
  const given = listGivenUp(doc);
  if (given.length === 0) return;
  givenUp.set(
    doc,
    given.filter((one) => !restore(session, doc, one)),
  );
}

/** Whether nothing is between a colon and the end of its entry. */
const isBlank = (text: string, offset: number): boolean =>
  /:[ \t]*$/.test(text.slice(Math.max(0, offset - 20), offset)) &&
  /^[ \t]*(?:[\r\n,}#]|$)/.test(text.slice(offset, offset + 20));

function restore({ editor }: Session, doc: Y.Doc, { anchor, key, text: value }: GivenUp): boolean {
  const { text, layout, document } = editor.store.getState();
  const start = Y.createAbsolutePositionFromRelativePosition(anchor, doc)?.index;
  if (start === undefined || !isBlank(text, start)) return false;
  const insert = text[start - 1] === ":" ? ` ${value}` : value;
  const changes = [{ from: start, to: start, insert }];
  const restored = getEditing().readSource(applyChanges(text, changes), undefined, toDocument(document));
  const choice = getEditing().findChoiceAt(restored, { from: start, to: start + insert.length });
  const isAlone = choice?.key === key && restored.text.slice(choice.range.from, choice.range.to).trim() === value;
  if (isAlone) editor.receive(changes, layout);
  return isAlone;
}
