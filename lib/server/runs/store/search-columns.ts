import "server-only";

/** How much of a run's input, and of its output, can be searched; in UTF-16 units. */
export const searchedUnits = 100_000;

/** What is kept of a run for its search: input and output in lower case, each cut to its beginning. */
export const toSearchText = (input: string, output: string): string =>
  `${input.slice(0, searchedUnits)}\n${output.slice(0, searchedUnits)}`.toLowerCase();

/** The models that a run asked as its row keeps them: one a line, a line end before and after each. */
export const toModelLines = (models: Iterable<string>): string => {
  const names = [...new Set(models)].filter((name) => !name.includes("\n"));
  return names.length === 0 ? "" : `\n${names.join("\n")}\n`;
};

/** The models of such lines. */
export const readModelLines = (lines: string): string[] => lines.split("\n").filter(Boolean);
