import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { diffTexts, diffUnlessDone } from "@/lib/core/live/diff-texts";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { TwinText } from "./live";

interface MergedTexts {
  base: string;
  mine: string;
  theirs: string;
}

/** Two texts that follow each other, and where they begin in the merged text. */
interface Neighbours {
  start: number;
  mine: string;
  theirs: string;
}

/** Asks this user which of two texts to keep that were written at one place, where both are in the text now. */
export function askAboutTwins({ editor, live, view }: Session, texts: MergedTexts): void {
  const { text, document: reading } = editor.store.getState();
  const document = toDocument(reading);
  const twins = listNeighbours(texts).flatMap(({ start, mine, theirs }): TwinText[] => {
    const edit = getEditing().findTextAt(document, { from: start, to: start + mine.length + theirs.length });
    const letters = edit && getEditing().findLetters(document, edit);
    if (!letters || start < letters.from || text.slice(start, letters.to).indexOf(mine + theirs) !== 0) return [];
    const parts = [
      { text: mine, name: null },
      { text: theirs, name: nameOther(live) },
    ] as const;
    return [{ owner: "name" in edit ? edit.name : "", field: edit, offset: start - letters.from, parts }];
  });
  if (twins.length === 0) return;
  live.store.setState({ twins });
  view.setState({ dialog: "twins" });
}

function listNeighbours({ base, mine, theirs }: MergedTexts): Neighbours[] {
  const over = diffTexts(base, theirs);
  const theirTexts = new Map<number, string>();
  let shift = 0;
  for (const { from: start, to: end, insert } of over) {
    if (insert.trim() !== "") theirTexts.set(start + shift, insert);
    shift += insert.length - (end - start);
  }
  let moved = 0;
  return rebaseChanges(diffUnlessDone(base, mine, over), over).flatMap(({ from: start, to: end, insert }) => {
    const found = theirTexts.get(start);
    const place = start + moved;
    moved += insert.length - (end - start);
    return found !== undefined && insert.trim() !== "" ? [{ start: place, mine: insert, theirs: found }] : [];
  });
}

function nameOther({ store }: Session["live"]): string {
  const { self, peers } = store.getState();
  const [peer, ...otherPeers] = peers;
  return peer && otherPeers.length === 0 && peer.name !== self?.name ? peer.name : "the other person";
}
