import type * as Y from "yjs";
import type { TextRange } from "@/lib/core/flow/text-range";
import { findAuthor, listWritersIn } from "@/lib/core/live/authors";
import { isOwnClient } from "@/lib/core/live/own-clients";
import type { Rivals, WrittenRange } from "@/lib/core/live/rivals";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import { askAbout, describeKept, toFieldWords } from "./ask-about-twins";
import { findTwin, readSides, type SideTexts } from "./find-twin";
import type { TwinText } from "./live";
import { rememberGivenUp } from "./rivals/given-up";
import { findRivalValues, losersOf, type RivalValues, winnerOf } from "./rivals/settle-choices";
import { type LiveState, nameOwnNamed } from "./twins/name-only-other";
import { rememberMet } from "./twins/tell-of-removed";

/**
 * What two people wrote at one place without knowing of each other. Of two values of one field one stays, the same for
 * everyone; who wrote the other one is told. Two texts both stay; `sides`: this user returns from being offline and is asked
 * which to keep. Returns whether one of several names of one thing stayed.
 */
export function settleRivals(session: Session, doc: Y.Doc, rivals: readonly Rivals[], sides: MetSides | null): boolean {
  const document = toDocument(session.editor.store.getState().document);
  const choices = findRivalValues(document, rivals);
  const settled = choices.flatMap(({ values }) => values);
  const texts = rivals.filter(({ first }) => !settled.some(({ from, to }) => first.from <= from && to <= first.to));
  const twins = sides ? listTwins(session, doc, { document, texts, sides }) : [];
  rememberGivenUp(doc, choices);
  dropLosers(session, choices);
  for (const choice of choices) tellOfLoser(session, doc, choice, sides?.otherName !== undefined);
  if (sides) askAbout(session, twins);
  else rememberMet(session, doc, texts);
  return choices.some(({ isName }) => isName);
}

interface MetSides extends SideTexts {
  /** How much of each document this user knew. */
  known: ReadonlyMap<number, number>;
}

interface RivalTexts {
  document: SourceDocument;
  texts: readonly Rivals[];
  sides: MetSides;
}

function listTwins({ live }: Session, doc: Y.Doc, { document, texts, sides }: RivalTexts): TwinText[] {
  const own = texts.filter(({ first, second }) => [first, second].some(({ client }) => isOwnClient(doc, client)));
  if (own.length === 0) return [];
  const read = readSides(sides);
  return own.flatMap(({ first, second }) => {
    const isMineFirst = isOwnClient(doc, first.client);
    const place = { from: first.from, to: second.to };
    const edit = getEditing().findTextAt(document, place);
    const range = (edit && getEditing().findLetters(document, edit)) ?? place;
    const name = sides.otherName ?? nameWriters(doc, range, sides.known, live.store.getState());
    return findTwin(document, read, { ...place, isMineFirst, name }) ?? [];
  });
}

/** Who wrote what this user did not know in a range of the text. */
function nameWriters(doc: Y.Doc, range: TextRange, known: MetSides["known"], state: LiveState): string {
  const clients = listWritersIn(doc, range, known).filter((client) => !isOwnClient(doc, client));
  const names = new Set(clients.map((client) => findAuthor(doc, client)));
  if (names.size === 1 && names.has(null)) return "the other person";
  const words = [...names].map((name) => (name === state.self?.name ? nameOwnNamed(state) : (name ?? "someone else")));
  return words.length > 3 || words.length === 0 ? "the flow" : words.join(" and ");
}

function dropLosers({ editor }: Session, choices: readonly RivalValues[]): void {
  const changes = choices.flatMap(({ values, kept }) =>
    losersOf(values, kept).map(({ from, to }) => ({ from, to, insert: "" })),
  );
  if (changes.length > 0) editor.receive(changes, editor.store.getState().layout);
}

/** `areAllOwn`: all values are this user's, of several tabs. */
function tellOfLoser(
  { live, notify }: Session,
  doc: Y.Doc,
  { key, values, isReference, kept: decided }: RivalValues,
  areAllOwn: boolean,
): void {
  const winner = decided ?? winnerOf(values);
  const own = losersOf(values, winner).find(({ client }) => areAllOwn || isOwnClient(doc, client));
  const [kept, dropped] = [toWords(winner), toWords(own)];
  if ((isReference && !decided) || !winner || !own || kept === dropped) return;
  const name = nameOf(doc, winner, live.store.getState().self?.name);
  notify.info(
    areAllOwn
      ? `Two of your tabs set ${toFieldWords(key)}, to ${kept} and to ${dropped}. The ${dropped} was not kept.`
      : describeKept(name ?? "Someone else", { key, kept, dropped }),
  );
}

/** A value, or a field without the comma beside it. */
const toWords = (value: WrittenRange | undefined): string => value?.text.replaceAll(/^[\s,]+|[\s,]+$/g, "") ?? "";

/** Null where the name is also this user's: two windows of one person. */
function nameOf(doc: Y.Doc, { client }: WrittenRange, ownName: string | undefined): string | null {
  const name = findAuthor(doc, client);
  return name === ownName ? null : name;
}
