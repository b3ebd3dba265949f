import { hasErrors, isMissingOnServer, type Problem } from "@/lib/core/flow/problem";
import type { ImportFormat } from "@/lib/core/source/formats/format-names";
import { importFlow } from "@/lib/core/source/formats/import/import-flow";
import { type Imported, lossesOf } from "@/lib/core/source/formats/import/imported";
import { readSource } from "@/lib/core/source/read-source";
import { currentOffer } from "@/lib/server/offer";
import { readTextOf } from "../files";
import { writeText } from "../output";
import { Lines, printable, printProblems } from "./report";

/**
 * `import FILE [--from FORMAT]`: a flow file made of it on standard output; problems, losses and what was set aside on
 * standard error. 1: no flow can be made of it, the flow has errors, or it means something else than the file.
 */
export async function runImport(file: string, { from: format }: { from?: ImportFormat }): Promise<number> {
  const text = await readTextOf(file);
  const imported = importFlow(text, format);
  const { source, problems } = imported;
  const lines = new Lines(text);
  printProblems(file, problems, lines);
  reportQuarantined(file, imported, lines);
  if (source === "" || hasErrors(problems)) return 1;
  await writeText(source);
  const flowProblems = checkImported(source);
  printProblems("<flow>", flowProblems, new Lines(source));
  const losses = lossesOf(imported).length;
  if (losses > 0)
    console.error(printable(`${file}: the flow does not mean the same: ${countParts(losses)} lost, see above.`));
  return losses > 0 || hasErrors(flowProblems) ? 1 : 0;
}

function reportQuarantined(file: string, { quarantined }: Imported, lines: Lines): void {
  for (const { description, effect, range } of quarantined) {
    const { line, column } = lines.position(range?.from ?? 0);
    const position = range ? `${file}:${line}:${column}` : file;
    console.error(
      printable(`${position}: ${effect === "lost" ? "lost, kept as text" : "kept as text, not read"}: ${description}`),
    );
  }
}

const countParts = (count: number): string => (count === 1 ? "1 part was" : `${count} parts were`);

/** What is wrong with the flow itself; that this machine lacks a key is no matter of the file. */
const checkImported = (source: string): Problem[] =>
  readSource(source, currentOffer()).problems.filter((problem) => !isMissingOnServer(problem));
