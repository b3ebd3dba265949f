import { fileURLToPath } from "node:url";
import { isMainThread } from "node:worker_threads";

if (isMainThread) await runCommand();
else await import("@/lib/server/cpu-worker/worker-main");

async function runCommand(): Promise<void> {
  const { runCommandLine } = await import("./program");
  const file = fileURLToPath(import.meta.url);
  // The bundle that this file is the entry of. Its threads begin with it as well.
  if (file.endsWith(".mjs")) globalThis.swarmloomThreadScript = file;
  // A reader such as `head` closes the pipe early.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(0);
  });
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
