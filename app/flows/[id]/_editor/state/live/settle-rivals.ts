import type * as Y from "yjs";
import type { Edit } from "@/lib/core/flow/edit";
import type { TextRange } from "@/lib/core/flow/text-range";
import { findAuthor } from "@/lib/core/live/authors";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { Rivals, WrittenRange } from "@/lib/core/live/rivals";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { TwinText } from "./live";
import { findRivalValues, losersOf, type RivalValues, winnerOf } from "./settle-choices";

/**
 * What two people wrote at one place without knowing of each other. Of two values of one field one stays, the same for
 * everyone; who wrote the other one is told. Two texts both stay; `isBack`: this user returns from being
 * offline and is asked which to keep.
 */
export function settleRivals(session: Session, doc: Y.Doc, rivals: readonly Rivals[]): void {
  const isBack = session.live.store.getState().status === "reconnecting";
  const document = toDocument(session.editor.store.getState().document);
  const choices = findRivalValues(document, rivals);
  const settled = new Set(choices.flatMap(({ values }) => values.map((value) => value.from)));
  const twins = rivals.flatMap((pair): TwinText[] => {
    const { first, second } = pair;
    const isOwn = [first, second].some(({ client }) => isOwnClient(doc, client));
    if (!isBack || !isOwn || settled.has(first.from)) return [];
    const edit = getEditing().findTextAt(document, { from: first.from, to: second.to });
    const letters = edit && getEditing().findLetters(document, edit);
    if (!letters) return [];
    const [before, after] = [clipTo(letters, first), clipTo(letters, second)];
    return before && after ? [toTwin(session, doc, { first: before, second: after }, { field: edit, letters })] : [];
  });
  dropLosers(session, doc, choices);
  if (twins.length === 0) return;
  session.live.store.setState({ twins });
  session.view.setState({ dialog: "twins" });
}

function dropLosers({ editor, live, notify }: Session, doc: Y.Doc, choices: readonly RivalValues[]): void {
  const changes = choices.flatMap(({ values }) => losersOf(values).map(({ from, to }) => ({ from, to, insert: "" })));
  if (changes.length === 0) return;
  editor.receive(changes, editor.store.getState().layout);
  for (const { key, values, isReference } of choices) {
    if (isReference) continue;
    const winner = winnerOf(values);
    const own = losersOf(values).find(({ client }) => isOwnClient(doc, client));
    const [kept, dropped] = [winner?.text.trim(), own?.text.trim()];
    if (!winner || !own || kept === dropped) continue;
    const name = nameOf(doc, winner, live.store.getState().self?.name);
    notify.info(`${name ?? "Someone else"} set \`${key}\` to ${kept} at the same time. Your ${dropped} was not kept.`);
  }
}

/** The part of what was written that is in the letters of a field; null: nothing of it is. */
function clipTo(letters: TextRange, range: WrittenRange): WrittenRange | null {
  const [start, end] = [Math.max(letters.from, range.from), Math.min(letters.to, range.to)];
  const text = range.text.slice(start - range.from, end - range.from);
  return start < end ? { ...range, from: start, to: end, text } : null;
}

function toTwin(
  { live }: Session,
  doc: Y.Doc,
  { first, second }: Pick<Rivals, "first" | "second">,
  { field, letters }: { field: Edit; letters: TextRange },
): TwinText {
  const ownName = live.store.getState().self?.name;
  const toPart = (range: WrittenRange) => ({
    text: range.text,
    name: isOwnClient(doc, range.client) ? null : (nameOf(doc, range, ownName) ?? "the other person"),
  });
  return {
    owner: "name" in field ? field.name : "",
    field,
    offset: first.from - letters.from,
    parts: [toPart(first), toPart(second)],
  };
}

/** Null where the name is also this user's: two windows of one person. */
function nameOf(doc: Y.Doc, { client }: WrittenRange, ownName: string | undefined): string | null {
  const name = findAuthor(doc, client);
  return name === ownName ? null : name;
}
