import { createFileRun, type FileRun } from "@/app/_run-view/source/file-source";
import { fetchText } from "@/app/_ui/loading/fetch-json";
import { listAgents } from "@/lib/core/kinds/list-agents";
import { readSource } from "@/lib/core/source/read-source";
import { readRunFile } from "@/lib/core/trace/file/run-file";

/** Throws RequestError, and an Error for an answer that is no run. */
export async function loadSharedRun(token: string, signal: AbortSignal): Promise<FileRun> {
  const text = await fetchText(`/api/shared/${encodeURIComponent(token)}/run`, { cache: "no-store", signal });
  const file = readRunFile(text);
  if ("problem" in file) throw new Error(file.problem);
  return createFileRun(file, listAgents(readSource(file.source).flow));
}
