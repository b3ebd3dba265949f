import "server-only";

export type CsvCell = string | number | boolean | null;

/** One line of a CSV file, with its end. */
export const toCsvLine = (cells: readonly CsvCell[]): string => `${cells.map(toCell).join(",")}\r\n`;

/**
 * Where a spreadsheet may begin a cell with a formula. By its language it separates cells by semicolons or tabs, and then
 * a quote within a cell means nothing to it. White space, quotes and what cannot be seen do not hide a formula.
 */
const formulaStart = /(^|[;\t\r\n])((?:(?![\t\r\n])[\s\p{Cc}\p{Cf}"])*)(?=[=+\-@＝＋－＠])/gu;

/** A text that a spreadsheet would take for a formula gets an apostrophe before it; quoting follows RFC 4180. */
function toCell(value: CsvCell): string {
  if (typeof value !== "string") return value === null ? "" : String(value);
  const marked = value.replace(formulaStart, "$1$2'");
  const safe = /^[\t\r]/.test(marked) ? `'${marked}` : marked;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
