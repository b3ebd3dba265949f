import { createFileRun, type FileRun } from "@/app/_run-view/source/file-source";
import { afterPaint } from "@/app/_ui/loading/after-paint";
import { formatCount } from "@/lib/core/flow/format-count";
import { readRunFile, runFileLimits } from "@/lib/core/trace/file/run-file";

export type ReadRun = FileRun & { key: number };

/** Most bytes of a UTF-16 unit in UTF-8: a file with more is too long whatever is in it. */
const bytesPerUnit = 3;

let opened = 0;

/** The run of a local file, or a sentence about what is wrong with it. A large file takes seconds. */
export async function readChosenFile(file: File): Promise<ReadRun | { problem: string }> {
  const most = runFileLimits.length * bytesPerUnit;
  if (file.size > most)
    return {
      problem: `Expected a run file of at most ${formatCount(most)} bytes, found ${formatCount(file.size)}. Read this run where it was made.`,
    };
  const text = await file.text().catch(() => null);
  if (text === null)
    return { problem: "The file could not be read. Is it still there, and may you read it? Choose it again." };
  await afterPaint();
  const read = readRunFile(text);
  if ("problem" in read) return read;
  const { readAgents } = await import("./read-agents");
  return { ...createFileRun(read, readAgents(read.source)), key: ++opened };
}
