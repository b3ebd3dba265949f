import { errorsOf } from "@/lib/core/flow/problem";
import { exportFlow } from "@/lib/core/source/formats/export/export-flow";
import type { ExportFormat } from "@/lib/core/source/formats/format-names";
import { readSource } from "@/lib/core/source/read-source";
import { readTextOf } from "../files";
import { writeText } from "../output";
import { Lines, printable, printProblems } from "./report";

/** `export FILE --to FORMAT`: the flow in another format on standard output; what is lost or differs on standard error. */
export async function runExport(file: string, { to }: { to: ExportFormat }): Promise<number> {
  const text = await readTextOf(file);
  const document = readSource(text);
  if (document.broken || document.unreadableRanges.length > 0) {
    printProblems(file, errorsOf(document.problems), new Lines(text));
    return 1;
  }
  const exported = exportFlow(document, to);
  await writeText(exported.text);
  for (const loss of exported.losses) console.error(printable(`lost: ${loss}`));
  for (const note of exported.notes) console.error(printable(`note: ${note}`));
  return 0;
}
