import type * as Y from "yjs";
import { moveByRemoved } from "@/lib/core/flow/text-range";
import type { LostText } from "@/lib/core/live/lost-texts";
import type { Rivals, WrittenRange } from "@/lib/core/live/rivals";
import type { Session } from "../session";
import type { LostWriting } from "./live";
import { listWritings, type SeenTexts } from "./lost-writings";

/** Takes out of the text what is in no entry of the file any more. A user who wrote some of it is shown it. */
export function dropLost(
  session: Session,
  doc: Y.Doc,
  { lost, seen }: { lost: readonly LostText[]; seen: SeenTexts | null },
): void {
  const { editor } = session;
  const changes = listRanges(lost).map((range) => ({ ...range, insert: "" }));
  if (changes.length > 0) editor.receive(changes, editor.store.getState().layout, true);
  showLost(session, listWritings(doc, { lost, seen, source: editor.store.getState().text }));
}

function showLost({ live }: Session, writings: readonly LostWriting[]): void {
  if (writings.length === 0) return;
  const known = live.store.getState().lost;
  const isKnown = ({ owner, text }: LostWriting): boolean =>
    known.some((one) => one.owner === owner && one.text === text);
  live.store.setState({ lost: [...known, ...writings.filter((writing) => !isKnown(writing))] });
}

const listRanges = (lost: readonly LostText[]) =>
  lost.flatMap(({ range }) => range ?? []).toSorted((a, b) => a.from - b.from);

/** The rivals that are left in the text, where they are now. */
export function withoutLost(rivals: readonly Rivals[], lost: readonly LostText[]): Rivals[] {
  const ranges = listRanges(lost);
  const move = (range: WrittenRange): WrittenRange => moveByRemoved(range, ranges);
  const isLost = (range: WrittenRange): boolean =>
    ranges.some(({ from: start, to: end }) => start < range.to && range.from < end);
  return rivals.flatMap(({ first, second, replaceSame }) =>
    isLost(first) || isLost(second) ? [] : [{ first: move(first), second: move(second), replaceSame }],
  );
}
