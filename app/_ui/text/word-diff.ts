import { type ChangeObject, diffWordsWithSpace } from "diff";

/** How much of each text is compared, in UTF-16 units. */
export const comparedUnits = 200_000;
/** Longest search for changed words, in milliseconds: of one that yields to the page in between, and of one that does not. */
const [longestMs, longestBlockingMs] = [2_000, 500];

/** The changes of type same or removed form the text before, those of type same or added the text after. */
export interface WordChange {
  type: "same" | "removed" | "added";
  text: string;
}

/** The changed words; null when the texts are too different to compare in time. Never blocks for long. */
export function findWordChanges(before: string, after: string): Promise<WordChange[] | null> {
  return new Promise((resolve) => {
    diffWordsWithSpace(before.slice(0, comparedUnits), after.slice(0, comparedUnits), {
      timeout: longestMs,
      callback: (changes: ChangeObject<string>[] | undefined) => resolve(changes ? changes.map(toWordChange) : null),
    });
  });
}

/** The same at once; texts too different to compare in time are one removed and one added change. */
export function compareWords(before: string, after: string): WordChange[] {
  const changes = diffWordsWithSpace(before, after, { timeout: longestBlockingMs });
  if (changes) return changes.map(toWordChange);
  return [
    { type: "removed", text: before },
    { type: "added", text: after },
  ];
}

const toWordChange = ({ added, removed, value }: ChangeObject<string>): WordChange => ({
  type: added ? "added" : removed ? "removed" : "same",
  text: value,
});
