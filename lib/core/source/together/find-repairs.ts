import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { type JoinRules, joinAll } from "./join-sections";
import { joinTwins } from "./join-twins";
import { repairBlocks } from "./repair-blocks";
import { repairEscapes } from "./repair-escapes";

/** Maximum number of places mended in one pass. */
export const maxRepairs = 20;

interface Repairs {
  changes: readonly TextChange[];
  /** Whether they make one of what several people added. */
  isJoined: boolean;
}

/** The changes that mend one place that several people made unreadable, or else that is there twice. Null: there is none. */
export function findRepairs(document: SourceDocument, rules: JoinRules = joinAll): Repairs | null {
  const mends = [...repairBlocks(document, rules), ...repairEscapes(document, rules)];
  if (mends.length > 0) return { changes: mends, isJoined: false };
  const twins = joinTwins(document, rules);
  return twins.length > 0 ? { changes: twins, isJoined: true } : null;
}
