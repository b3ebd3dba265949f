import { diffWordsWithSpace } from "diff";

/** A piece of two texts that are compared: in both, only in the older, or only in the newer one. */
export interface ChangedPiece {
  type: "same" | "removed" | "added";
  text: string;
}

/** Longest time that a comparison takes, in milliseconds. */
const longest = 500;

/**
 * The newer text compared with the older one, word by word. The pieces that are the same or removed give the older text, those
 * that are the same or added the newer one. Texts too different to be compared in time are one removed and one added piece.
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
