import type * as Y from "yjs";
import { findAuthor } from "@/lib/core/live/authors";
import { findLost, type LostText } from "@/lib/core/live/lost-texts";
import { listRestoredVersions } from "@/lib/core/live/restored-versions";
import type { Rivals } from "@/lib/core/live/rivals";
import { isApartAt, isSharedAt, isWrittenIn } from "@/lib/core/live/shared-text";
import { type JoinRules, joinAll } from "@/lib/core/source/together/join-sections";
import type { Session } from "../session";
import { type Attention, tellOfDeleted } from "./attention";
import { dropLost, withoutLost } from "./drop-lost";
import type { SideTexts } from "./find-twin";
import type { SeenTexts } from "./lost-writings";
import { restoreWritings } from "./restore-writings";
import { restoreGivenUp } from "./rivals/given-up";
import { settleRivals } from "./settle-rivals";
import { tellOfRemoved } from "./twins/tell-of-removed";

/** What people wrote without knowing of each other. */
export interface Collisions {
  rivals: readonly Rivals[];
  /** How much of each document was known before. */
  known: ReadonlyMap<number, number>;
  lost: readonly LostText[];
  seen: SeenTexts;
  /** Null: this user was not away. */
  sides: SideTexts | null;
  attention: Attention;
}

/**
 * Settles what an update brought: what is in no entry any more, then rivals, then what is unreadable or there twice. Returns
 * whether the structure has to be settled again.
 */
export function settleReceived(
  session: Session,
  doc: Y.Doc,
  { rivals, known, lost, seen, sides, attention }: Collisions,
): boolean {
  dropLost(session, doc, { lost, seen });
  tellOfDeleted(session, doc, attention, seen);
  tellOfRemoved(session, seen.document);
  tellOfRestored(session, doc, known);
  const left = withoutLost(rivals, lost);
  const isNamed = left.length > 0 && settleRivals(session, doc, left, sides && { ...sides, known });
  const isRestored = restoreGivenUp(session, doc);
  const isRepaired = repair(session, toRules(doc));
  restoreWritings(session, doc);
  return isRepaired || isNamed || isRestored;
}

function tellOfRestored({ notify }: Session, doc: Y.Doc, known: Collisions["known"]): void {
  for (const { version, by } of listRestoredVersions(doc, known))
    notify.info(
      `${findAuthor(doc, by) ?? "Someone else"} restored ${version}. The flow before that is under Versions.`,
    );
}

/** The one who wrote something has all of it: no one else moves it. */
const toRules = (doc: Y.Doc): JoinRules => ({
  isJoined: (offset) => isSharedAt(doc, offset),
  mayMove: (range) => isWrittenIn(doc, range),
  isApart: (offset) => isApartAt(doc, offset),
});

/**
 * Joins the fields that this user and others added while apart. `lost`: what is in no entry any more, besides what is found.
 * Returns whether there were any.
 */
export function joinAfterMerge(session: Session, doc: Y.Doc, lost: readonly LostText[]): boolean {
  dropLost(session, doc, { lost: [...lost, ...findLost(doc)], seen: null });
  return repair(session, { ...joinAll, isApart: (offset) => isApartAt(doc, offset) });
}

function repair({ editor, notify }: Session, rules: JoinRules): boolean {
  const isJoined = editor.repair(rules);
  if (isJoined)
    notify.info(
      "Two people added the same field. Both texts were kept; of two values the first was kept. Check the text.",
    );
  return isJoined;
}
