import { errorsOf } from "@/lib/core/flow/problem";
import { exportFlow } from "@/lib/core/source/formats/export/export-flow";
import type { ExportFormat } from "@/lib/core/source/formats/format-names";
import { readSource } from "@/lib/core/source/read-source";
import { readTextOf } from "../files";
import { writeText } from "../output";
import { describeProblem, Lines, printable, toPrinted } from "./report";

/** `export FILE --to FORMAT`: the flow in another format on standard output; what is lost or differs on standard error. */
export async function runExport(file: string, format: ExportFormat): Promise<number> {
  const text = await readTextOf(file);
  const document = readSource(text);
  if (document.broken || document.unreadableRanges.length > 0) {
    const lines = new Lines(text);
    for (const problem of errorsOf(document.problems))
      console.error(describeProblem(file, toPrinted(problem, lines), lines));
    return 1;
  }
  const exported = exportFlow(document, format);
  await writeText(exported.text);
  for (const loss of exported.losses) console.error(printable(`lost: ${loss}`));
  for (const note of exported.notes) console.error(printable(`note: ${note}`));
  return 0;
}
