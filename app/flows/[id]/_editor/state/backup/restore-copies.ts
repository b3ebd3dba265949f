import {
  askAboutTwins,
  diffTexts,
  type LiveDocument,
  mergeReturned,
  openLiveDocument,
  readWholeText,
  tellOfGiven,
} from "../live/live-parts";
import { recoverCopy } from "../save/local-copy";
import type { LocalCopy } from "../save/local-store";
import { showCopy } from "../save/saved-copies";
import type { SharedCopy } from "../save/shared-copy";
import type { Session } from "../session";

const otherTab = "your other tab";

/** A copy with a document last: its letters are known by their ids, which a text alone would lose. */
export const orderCopies = (copies: readonly LocalCopy[]): LocalCopy[] =>
  copies.toSorted((a, b) => Number(a.shared !== undefined) - Number(b.shared !== undefined));

/**
 * Goes on with what closed tabs left unsaved. The last one is what this user wrote here, as `show` puts it into the editor; the
 * others are merged with it like what someone else wrote meanwhile.
 */
export function restoreCopies(
  session: Session,
  copies: readonly LocalCopy[],
  show = (last: LocalCopy): void => showCopy(session, last),
): void {
  const last = copies.at(-1);
  if (!last) return;
  show(last);
  recoverCopy(
    session,
    copies.slice(0, -1).reduce((shown, other) => joinCopy(session, shown, other), last),
  );
}

/** Merges a copy with the one that the editor shows. */
function joinCopy(session: Session, shown: LocalCopy, other: LocalCopy): LocalCopy {
  const joined = joinDocuments(session, shown, other);
  if (!joined) joinTexts(session, shown, other);
  const { text, layout } = session.editor.store.getState();
  return {
    base: shown.base,
    current: { source: text, layout },
    shared: joined ?? shown.shared,
    sent: [...(shown.sent ?? []), ...(other.sent ?? [])],
  };
}

/** By the ids of their letters: the server may have some of them. Null: they are no copies of one document. */
function joinDocuments(session: Session, shown: LocalCopy, { base, shared: other }: LocalCopy): SharedCopy | null {
  const theirs = other && other.lineage === shown.shared?.lineage ? readWholeText(other.state) : null;
  const document = other && theirs !== null && shown.shared ? openCopy(session, shown.shared) : null;
  if (!document || !other || theirs === null) return null;
  document.bind();
  const mine = session.editor.store.getState().text;
  document.applyOwn(other.state, { base: base.source, mine, theirs, otherName: otherTab });
  const joined = document.readCopy();
  document.close();
  return joined ? { ...joined, own: [...(joined.own ?? []), ...(other.own ?? [])] } : (shown.shared ?? null);
}

function openCopy(session: Session, { lineage, state: update, client, own }: SharedCopy): LiveDocument | null {
  try {
    return openLiveDocument(session, { lineage, update, earlierClient: client, earlierWriting: own, send: () => {} });
  } catch {
    // What the browser kept cannot be read: the texts are merged.
    return null;
  }
}

function joinTexts(session: Session, shown: LocalCopy, { base, current: theirs }: LocalCopy): void {
  const { editor, live } = session;
  const { given, ...merged } = mergeReturned(base, shown.current, theirs);
  tellOfGiven(session, given, otherTab);
  live.receive(() => editor.receive(diffTexts(editor.store.getState().text, merged.source), merged.layout));
  askAboutTwins(session, {
    base: base.source,
    mine: shown.current.source,
    theirs: theirs.source,
    otherName: otherTab,
  });
}
