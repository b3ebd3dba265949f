import { diffLetters } from "../flow/rebase/diff-letters";
import { diffTexts } from "./diff-texts";
import type { FlowContent } from "./live-document";

/** Longer lines are compared as a whole. */
const maxComparedPairs = 50_000;

/** The state from which the fewest letters lead to `later`; of several the last one. */
export function findNearest(
  [first, ...others]: readonly [FlowContent, ...FlowContent[]],
  later: FlowContent,
): FlowContent {
  let [nearest, least] = [first, countChanged(first.source, later.source)];
  for (const state of others) {
    const distance = countChanged(state.source, later.source);
    if (distance <= least) [nearest, least] = [state, distance];
  }
  return nearest;
}

function countChanged(before: string, after: string): number {
  let count = 0;
  for (const { from: start, to: end, insert } of diffTexts(before, after)) {
    const isShort = (end - start) * insert.length <= maxComparedPairs;
    const changes = isShort ? diffLetters(before.slice(start, end), insert) : [{ from: start, to: end, insert }];
    for (const change of changes) count += change.to - change.from + change.insert.length;
  }
  return count;
}
