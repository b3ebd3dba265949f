import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import type { JoinRules } from "./join-sections";
import { joinTwins } from "./join-twins";
import { repairBlocks } from "./repair-blocks";

/** Maximum number of places mended in one pass. */
export const maxRepairs = 20;

interface Repairs {
  changes: readonly TextChange[];
  /** Whether they make one of what several people added. */
  isJoined: boolean;
}

/** The changes that mend one place that several people made unreadable, or else that is there twice. Null: there is none. */
export function findRepairs(document: SourceDocument, rules?: JoinRules): Repairs | null {
  const blocks = repairBlocks(document);
  if (blocks.length > 0) return { changes: blocks, isJoined: false };
  const twins = joinTwins(document, rules);
  return twins.length > 0 ? { changes: twins, isJoined: true } : null;
}
