import { diffWordsWithSpace } from "diff";

export interface ChangedPiece {
  type: "same" | "removed" | "added";
  text: string;
}

/** Longest time that a comparison takes, in milliseconds. */
const longest = 500;

/**
 * Compares two texts word by word. The changes of type same or removed form the older text, those of type same or added
 * the newer one. Texts too different to compare in time are one removed and one added change.
 */
export function compareInstructions(older: string, newer: string): ChangedPiece[] {
  if (older === newer) return older === "" ? [] : [{ type: "same", text: older }];
  const changes = diffWordsWithSpace(older, newer, { timeout: longest });
  if (!changes)
    return [
      { type: "removed", text: older },
      { type: "added", text: newer },
    ];
  return changes.map(({ added, removed, value }) => ({
    type: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}
