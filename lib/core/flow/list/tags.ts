/** The longest tag, in UTF-16 units, and the most of one flow. */
export const tagLimits = { length: 30, count: 10 } as const;

/** Tags as they are kept: trimmed, in lower case, each once, in the given order. */
export function normalizeTags(tags: readonly string[]): string[] {
  const trimmedTags = tags.map((tag) =>
    tag
      .trim()
      .replaceAll(/[\s,]+/g, " ")
      .toLowerCase()
      .slice(0, tagLimits.length)
      .trim(),
  );
  return [...new Set(trimmedTags.filter((tag) => tag !== ""))].slice(0, tagLimits.count);
}
