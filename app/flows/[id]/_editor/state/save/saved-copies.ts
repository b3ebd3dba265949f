import { diffTexts } from "@/lib/core/live/diff-texts";
import type { Session } from "../session";
import type { LocalCopy } from "./local-store";
import { mergeVersions } from "./merge-versions";
import { requestLater } from "./save-request";
import { isAmongSent, type Snapshot, sameSnapshot, type Theirs } from "./snapshot";

/** The tabs whose changes the flow has, or a revision since: the answer to their last save came too late. */
export async function listSavedTabs(
  flowId: string,
  copies: readonly { tab: string; copy: LocalCopy }[],
  shown: Theirs,
): Promise<string[]> {
  const tabs = await Promise.all(
    copies.map(async ({ tab, copy }) => ((await isSaved(flowId, copy, shown)) ? [tab] : [])),
  );
  return tabs.flat();
}

async function isSaved(flowId: string, copy: LocalCopy, shown: Theirs): Promise<boolean> {
  const { base, sent = [] } = copy;
  // What was sent without an answer may still arrive.
  if (base.revision === shown.revision) return sent.length === 0 && contains(shown, copy);
  if (hasAll(shown, copy)) return true;
  if (isAmongSent(sent, shown)) return false;
  const later = await requestLater(flowId, base.revision);
  return later?.some((snapshot) => hasAll(snapshot, copy)) ?? false;
}

/** Of what was stored without an answer some may have been undone since. */
const hasAll = (later: Snapshot, copy: LocalCopy): boolean =>
  isAmongSent(copy.sent ?? [], later) ? sameSnapshot(later, copy.current) : contains(later, copy);

/** Whether merging the changes of a copy into a later state of the flow would change nothing. */
function contains(later: Snapshot, { base, current }: LocalCopy): boolean {
  if (sameSnapshot(later, current)) return true;
  const { conflicts, text, layout } = mergeVersions(base, current, later);
  return conflicts === 0 && sameSnapshot({ source: text, layout }, later);
}

/** One step of the history, of this user's changes alone: the flow may have changed since they began. */
export function showCopy({ editor }: Pick<Session, "editor">, { base, current }: LocalCopy): void {
  editor.receive(diffTexts(editor.store.getState().text, base.source), base.layout);
  editor.replace(current.source, current.layout);
}
