import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) await runCommand();
else await import("@/lib/server/cpu-worker/worker-main");

async function runCommand(): Promise<void> {
  const [{ dropUnreadOutput }, { runCommandLine }] = await Promise.all([import("./output"), import("./program")]);
  const file = fileURLToPath(import.meta.url);
  // The bundle that this file is the entry of. Its threads begin with it as well.
  if (file.endsWith(".mjs")) globalThis.swarmloomThreadScript = file;
  dropUnreadOutput();
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
