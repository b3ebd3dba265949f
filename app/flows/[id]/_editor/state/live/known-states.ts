import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { diffTexts } from "@/lib/core/live/diff-texts";
import type { FlowContent } from "@/lib/core/live/live-document";

const maxStates = 60;
/** Of all states together: each is compared with what the server has. */
const maxLetters = 2_000_000;
/** Longer lines are compared as a whole. */
const maxComparedPairs = 50_000;

export type KnownStates = ReturnType<typeof createKnownStates>;

/**
 * The states of a document while it was connected. When the connection is lost the server has one of them, perhaps not the
 * last one: what was sent last may not have arrived.
 */
export function createKnownStates(first: FlowContent) {
  let states: readonly FlowContent[] = [first];
  return {
    add(content: FlowContent): void {
      const max = Math.max(4, Math.min(maxStates, maxLetters / (content.source.length + 1)));
      const kept = states.length < max ? states : states.filter((_, index) => index % 2 === 0);
      states = [...kept, content];
    },
    /** The state from which the fewest letters lead to `later`; of several the last one. */
    findNearest(later: FlowContent): FlowContent {
      let [nearest, least] = [first, Number.POSITIVE_INFINITY];
      for (const state of states) {
        const distance = countChanged(state.source, later.source);
        if (distance <= least) [nearest, least] = [state, distance];
      }
      return nearest;
    },
  };
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
