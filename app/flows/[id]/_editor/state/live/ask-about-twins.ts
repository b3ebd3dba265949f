import { rebaseTexts } from "@/lib/core/flow/rebase/rebase-texts";
import type { TextChange, TextRange } from "@/lib/core/flow/text-range";
import { diffWords } from "@/lib/core/live/diff-texts";
import type { GivenValue } from "@/lib/core/settle/give-way";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import { findTwin, readSides, type SideTexts } from "./find-twin";
import { settleText } from "./keep-text";
import type { TwinText } from "./live";
import { addTwins } from "./twins/follow-twins";

/** `authors`: who may have written what others have. */
interface ReturnTexts extends SideTexts {
  base: string;
  authors?: readonly string[];
}

/** Asks this user which of two texts of a field to keep, where both wrote at one place and both are in the text now. */
export function askAboutTwins(session: Session, texts: ReturnTexts): void {
  const places = listSharedPlaces(texts);
  if (places.length === 0) return;
  const document = toDocument(session.editor.store.getState().document);
  const sides = readSides(texts);
  const name = texts.otherName ?? nameOther(session.live, texts.authors);
  const twins = places.flatMap((place) => findTwin(document, sides, { ...place, isMineFirst: true, name }) ?? []);
  askAbout(session, twins);
}

/** Asks about each field once. Two equal texts are one. */
export function askAbout(session: Session, twins: readonly TwinText[]): void {
  const byField = new Map(twins.map((twin) => [JSON.stringify(twin.field), twin]));
  const isEqual = ({ parts: [first, second] }: TwinText): boolean => first.text === second.text;
  for (const twin of byField.values()) if (isEqual(twin)) settleText(session, twin, twin.parts[0].text);
  const next = [...byField.values()].flatMap((twin) => (isEqual(twin) ? [] : separate(session, twin)));
  addTwins(session, next);
}

/**
 * Both texts whole in the field, or that of the other person, until the user answers: the page may be left, or reloaded, before.
 */
function separate(session: Session, twin: TwinText): TwinText {
  const text = twin.both ?? twin.parts.find(({ name }) => name !== null)?.text ?? twin.merged;
  if (text === twin.merged) return twin;
  settleText(session, twin, text);
  const document = toDocument(session.editor.store.getState().document);
  return { ...twin, merged: getEditing().readField(document, twin.field) };
}

/** Where this user wrote in the merged text, when the other one wrote at the same place. */
function listSharedPlaces({ base, mine, theirs }: SideTexts & { base: string }): TextRange[] {
  const { over, changes } = rebaseTexts(base, mine, theirs, { diff: diffWords });
  const theirPlaces = listWritten(over);
  let moved = 0;
  return changes.flatMap((change) => {
    const place = change.from + moved;
    moved += change.insert.length - (change.to - change.from);
    const isShared = change.insert.trim() !== "" && theirPlaces.some((other) => meets(change, other));
    return isShared ? [{ from: place, to: place + change.insert.length }] : [];
  });
}

/** Where changes wrote something, in the text after them. */
function listWritten(changes: readonly TextChange[]): TextRange[] {
  let moved = 0;
  return changes.flatMap(({ from: start, to: end, insert }) => {
    const place = start + moved;
    moved += insert.length - (end - start);
    return insert.trim() === "" ? [] : [{ from: place, to: place + insert.length }];
  });
}

const meets = ({ from: start, to: end }: TextChange, other: TextRange): boolean =>
  start === other.from || (start < end && start <= other.to && other.from <= end);

/** Tells this user of which values and names the other ones stay. */
export function tellOfGiven(
  { live, notify }: Session,
  given: readonly GivenValue[],
  otherName = nameOther(live),
): void {
  const subject = { "the flow": "Someone else", "the other person": "Someone else" }[otherName] ?? otherName;
  const name = `${subject[0]?.toUpperCase() ?? ""}${subject.slice(1)}`;
  for (const value of given)
    notify.info(
      value.isName
        ? `${name} renamed "${value.key}" to "${value.kept}" at the same time. Your "${value.dropped}" was not kept.`
        : describeKept(name, value),
    );
}

/** The words of a key, e.g. `max_steps`, as forms and the history have them. */
export const toFieldWords = (key: string): string => key.replaceAll("_", " ");

/** That a value of someone else stays, and this user's does not. */
export const describeKept = (
  name: string,
  { key, kept, dropped }: Pick<GivenValue, "key" | "kept" | "dropped">,
): string => `${name} set ${toFieldWords(key)} to ${kept} at the same time. Your ${dropped} was not kept.`;

function nameOther({ store }: Session["live"], authors: readonly string[] = []): string {
  const { self, peers } = store.getState();
  const unnamed = "the other person";
  const peerNames = peers.map(({ name }) => (name === self?.name ? unnamed : name));
  const [name, ...others] = new Set([...authors.filter((author) => author !== self?.name), ...peerNames]);
  const hasOwnTab = peers.some(({ userId }) => userId === self?.userId);
  if (others.length > 0 || hasOwnTab) return "the flow";
  return name !== undefined && peers.length > 0 ? name : unnamed;
}
