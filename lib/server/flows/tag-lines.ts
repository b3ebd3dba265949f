import "server-only";

/** Tags as their column has them: one a line, a line end before and after each; so that one can be found as a whole. */
export const toTagLines = (tags: readonly string[]): string => (tags.length === 0 ? "" : `\n${tags.join("\n")}\n`);

export const readTagLines = (lines: string): string[] => lines.split("\n").filter(Boolean);
