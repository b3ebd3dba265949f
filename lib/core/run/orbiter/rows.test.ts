import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The rows of sections 3 to 10 and 12 of the conformance table: what a running swarm does, and what files mean. */
const sections = [
  [52, 204],
  [240, 246],
] as const;
const isCovered = (row: number): boolean => sections.some(([first, last]) => row >= first && row <= last);

const core = path.join(import.meta.dirname, "../..");

/** The tests that name a row at the beginning of their title, by row: `"103: two calls of one turn …"`. */
function findTests(): Map<number, string[]> {
  const titles = new Map<number, string[]>();
  const files = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".test.ts"));
  for (const file of files.sort())
    for (const [, rows = "", title = ""] of readFileSync(path.join(core, file), "utf8").matchAll(
      /(?:test|it)?\(?\[?\s*"((?:\d{2,3}(?:, )?)+): ((?:[^"\\]|\\.)+)"/g,
    ))
      for (const row of rows.split(", ").map(Number))
        if (isCovered(row))
          titles.set(row, [...(titles.get(row) ?? []), `${title} (${path.basename(file, ".test.ts")})`]);
  return titles;
}

test("every row of sections 3 to 10 and 12 has a test; rows.md lists them", async () => {
  const tests = findTests();
  const rows = sections.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  expect(rows.filter((row) => !tests.has(row))).toEqual([]);
  const lines = rows.map((row) => `| ${row} | ${(tests.get(row) ?? []).join("; ").replaceAll("|", "\\|")} |`);
  const text = [
    "# Rows of the conformance table and their tests",
    "",
    "Generated: `vitest -u` writes it again.",
    "",
    "| row | tests |",
    "|---|---|",
    ...lines,
    "",
  ].join("\n");
  await expect(text).toMatchFileSnapshot("./rows.md");
});
