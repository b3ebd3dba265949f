import { type ChangeObject, diffWordsWithSpace } from "diff";

/** How much of each text is compared, in UTF-16 units. */
export const comparedUnits = 200_000;
/** Longest search for changed words, in milliseconds; it yields to the page in between. */
const longestMs = 2_000;

export interface WordChange {
  type: "same" | "removed" | "added";
  text: string;
}

/** The changed words; null when the texts are too different to compare in time. Never blocks for long. */
export function findWordChanges(before: string, after: string): Promise<WordChange[] | null> {
  return new Promise((resolve) => {
    diffWordsWithSpace(before.slice(0, comparedUnits), after.slice(0, comparedUnits), {
      timeout: longestMs,
      callback: (changes: ChangeObject<string>[] | undefined) => resolve(changes ? changes.map(toChange) : null),
    });
  });
}

const toChange = ({ added, removed, value }: ChangeObject<string>): WordChange => ({
  type: added ? "added" : removed ? "removed" : "same",
  text: value,
});
