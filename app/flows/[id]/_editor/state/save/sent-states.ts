import type { FlowContent } from "@/lib/core/live/live-document";

const maxStates = 60;
/** Of all states together: each is compared with what the server has. */
const maxLetters = 2_000_000;

/**
 * The states of a document while it was connected, for as long as its session lasts. When the connection is lost the server
 * has one of them, perhaps not the last one: what was sent last may not have arrived.
 */
export function createSentStates() {
  let states: readonly FlowContent[] = [];
  let isShared = false;
  const add = (content: FlowContent): void => {
    const max = Math.max(4, Math.min(maxStates, maxLetters / (content.source.length + 1)));
    const kept = states.length < max ? states : states.filter((_, index) => index % 2 === 0);
    states = [...kept, content];
  };
  return {
    add,
    /** The document is open: from now on the server has at least this. */
    restart(content: FlowContent): void {
      states = [content];
      isShared = true;
    },
    list: (): readonly FlowContent[] => states,
    /** Whether there was a document. */
    isShared: (): boolean => isShared,
  };
}
