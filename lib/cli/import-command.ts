import { findPatternMistake } from "@/lib/core/condition/pattern";
import { hasErrors } from "@/lib/core/flow/problem";
import type { ImportFormat } from "@/lib/core/source/formats/format-names";
import { importFlow } from "@/lib/core/source/formats/import-flow";
import { readSource } from "@/lib/core/source/read-source";
import { readTextOf } from "./files";
import { writeText } from "./output";
import { describeProblem, Lines, printable, toPrinted } from "./report";

/**
 * `import FILE [--from FORMAT]`: a flow file made of it on standard output; problems and what was set aside on standard
 * error. 1: no flow can be made of it.
 */
export async function runImport(file: string, format: ImportFormat | undefined): Promise<number> {
  const text = await readTextOf(file);
  const { source, problems, quarantined } = importFlow(text, format);
  const lines = new Lines(text);
  for (const problem of problems) console.error(describeProblem(file, toPrinted(problem, lines), lines));
  for (const { what, range } of quarantined) {
    const { line, column } = lines.position(range?.from ?? 0);
    const place = range ? `${file}:${line}:${column}` : file;
    console.error(printable(`${place}: kept as text, not read: ${what}`));
  }
  if (source === "" || hasErrors(problems)) return 1;
  await writeText(source);
  const made = new Lines(source);
  for (const problem of readSource(source, { checkPattern: findPatternMistake }).problems)
    console.error(describeProblem("<flow>", toPrinted(problem, made), made));
  return 0;
}
