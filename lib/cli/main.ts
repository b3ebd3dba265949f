import { runCommandLine } from "./program";

// A reader such as `head` closes the pipe early.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(0);
});

process.exitCode = await runCommandLine(process.argv.slice(2));
