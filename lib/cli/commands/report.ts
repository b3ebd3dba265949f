import { replaceHidden } from "@/lib/core/flow/hidden-characters";
import type { Problem } from "@/lib/core/flow/problem";
import type { Position } from "@/lib/core/flow/text-range";

/** A problem as the command line prints it: positions count from 1, columns in UTF-16 units, the end is exclusive. */
export interface PrintedProblem extends Pick<Problem, "code" | "severity" | "message"> {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
}

/** Finds lines and columns in a text; each look-up is a binary search. */
export class Lines {
  readonly #starts: number[] = [0];

  constructor(readonly text: string) {
    for (let offset = text.indexOf("\n"); offset >= 0; offset = text.indexOf("\n", offset + 1))
      this.#starts.push(offset + 1);
  }

  position(offset: number): Position {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 };
  }

  /** The text of a line, counted from 1, without its end. */
  line(line: number): string {
    return this.text.slice(this.#starts[line - 1], this.#starts[line]).replace(/\r?\n$/, "");
  }
}

export function toPrinted({ code, severity, message, range }: Problem, lines: Lines): PrintedProblem {
  const start = lines.position(range?.from ?? 0);
  const end = lines.position(range?.to ?? 0);
  return { code, severity, message, ...start, endLine: end.line, endColumn: end.column };
}

const widest = 120;

/** `file:line:column: severity code: message`, then the line with carets under what is meant. */
export function describeProblem(file: string, problem: PrintedProblem, lines: Lines): string {
  const { line, column, endLine, endColumn, severity, code, message } = problem;
  const text = lines.line(line);
  const end = endLine === line ? endColumn : text.length + 1;
  const start = Math.max(0, column - 1 - widest / 2);
  const excerpt = text.slice(start, start + widest);
  const before = text.slice(start, column - 1);
  const length = Math.max(1, Math.min(end - column, start + widest - column + 1));
  const gutter = ` ${line} | `;
  return [
    `${printable(file)}:${line}:${column}: ${severity} ${code}: ${printable(message)}`,
    `${gutter}${printable(excerpt)}`,
    `${" ".repeat(gutter.length - 2)}| ${printable(before).replace(/[^\t]/g, " ")}${"^".repeat(length)}`,
  ].join("\n");
}

/** Describes problems of a file on standard error. */
export function printProblems(file: string, problems: readonly Problem[], lines: Lines): void {
  for (const problem of problems) console.error(describeProblem(file, toPrinted(problem, lines), lines));
}

/** In one line, without characters that steer a terminal or cannot be seen; tabs stay, so that the carets line up. */
export const printable = (text: string): string => replaceHidden(text, () => "·").replace(/[\r\n]/g, "·");
