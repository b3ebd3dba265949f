import { toMinimalChange, withoutSame } from "../text-change";
import type { TextChange } from "../text-range";
import { toWordChanges } from "./diff-tokens";
import { rebaseChanges } from "./rebase-changes";

/** A text that a user is writing, and the stored text that it began with. */
interface TextDraft {
  base: string;
  text: string;
}

/**
 * What the stored text becoming `next` changes in the draft: the user's own letters stay, and the others' are added. Words that
 * stay are in no change, so that a caret among them keeps its place.
 */
export function rebaseDraft({ base, text }: TextDraft, next: string): TextChange[] {
  const [own, foreign] = [toMinimalChange(base, text), toMinimalChange(base, next)];
  if (!foreign || text === next) return [];
  const changes = toWordChanges(base, [foreign]).flatMap((change) => withoutSame(base, change));
  return own ? rebaseChanges(changes, [own], "foreign") : changes;
}
