import { readFileSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

const page = path.join(import.meta.dirname, "../../app/docs/_content/performance.md");

/** A Markdown table; all rows have as many cells as the header. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const escapeCell = (cell: string): string => cell.replaceAll("|", "\\|");
  const toLine = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  return [toLine(header), `|${header.map(() => "---").join("|")}|`, ...rows.map(toLine)].join("\n");
}

/** The text with the block `<!-- figures: section -->` … `<!-- end of figures -->` replaced. Throws when there is none. */
export function replaceFigures(text: string, section: string, content: string): string {
  const [opening, closing] = [`<!-- figures: ${section} -->\n`, "<!-- end of figures -->"];
  const start = text.indexOf(opening);
  const end = text.indexOf(closing, start);
  if (start < 0 || end < 0) throw new Error(`performance.md has no block for the figures "${section}"`);
  return `${text.slice(0, start + opening.length)}\n${content}\n\n${text.slice(end)}`;
}

/** Writes measured figures into the documentation, with the date and the machine. */
export function writeFigures(section: string, table: string): void {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${os.cpus().length} cores, Node ${process.versions.node}`;
  const text = readFileSync(page, "utf8");
  writeFileSync(page, replaceFigures(text, section, `Measured on ${date}, ${machine}.\n\n${table}`));
}
