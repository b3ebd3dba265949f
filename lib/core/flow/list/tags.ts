import { cutName, toDisplayName } from "./display-name";

/** The longest tag, in characters, and the most of one flow. */
export const tagLimits = { length: 30, count: 10 } as const;

/** Tags as they are kept: names on one line without commas, in lower case, each once, in the given order. */
export function normalizeTags(tags: readonly string[]): string[] {
  const names = tags.map((tag) => toShortName(tag.replaceAll(",", " ").toLowerCase()));
  return [...new Set(names.filter((name) => name !== ""))].slice(0, tagLimits.count);
}

/** What joined two characters may be the last one once the name is cut. */
const toShortName = (text: string): string => toDisplayName(cutName(toDisplayName(text), tagLimits.length));
