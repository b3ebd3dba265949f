import { hasErrors, isMissingOnServer, type Problem } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { currentOffer } from "@/lib/server/offer";
import { readTextFile } from "../files";
import { writeJson, writeLine } from "../output";
import { Lines, printProblems, toPrinted } from "./report";

/** `check FILE…`: what is wrong with flow files. With `json`, one line for each: `{file, ok, problems}`. */
export async function runCheck(files: readonly string[], options: { json?: boolean }): Promise<number> {
  const sources = files.map((file) => ({ file, text: readTextFile(file) }));
  const offer = currentOffer();
  let code = 0;
  for (const { file, text } of sources) {
    const problems = readSource(text, offer).problems.map(excuseServer);
    const ok = !hasErrors(problems);
    if (!ok) code = 1;
    const lines = new Lines(text);
    if (options.json) {
      await writeJson({ file, ok, problems: problems.map((problem) => toPrinted(problem, lines)) });
      continue;
    }
    printProblems(file, problems, lines);
    if (ok) await writeLine(`${file}: fine`);
  }
  return code;
}

/** A key or a setting that this machine lacks is no fault of the file; a run would refuse it. */
const excuseServer = (problem: Problem): Problem =>
  isMissingOnServer(problem) ? { ...problem, severity: "warning" } : problem;
