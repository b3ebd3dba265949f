import os from "node:os";
import { getEnv } from "@/lib/server/env";

/** Ctrl+C reaches a process of npm twice: from the terminal, and forwarded by npm. */
const sameSignalMs = 300;
const parentCheckMs = 500;

/**
 * Resolves when this process is asked to stop: by a signal, or because the npm that started it has gone (npm passes on
 * SIGINT and SIGTERM only, and a shell between the two passes on nothing). A second signal ends the process at once,
 * with 128 + its number.
 */
export function waitForStopRequest(): Promise<string> {
  return new Promise((resolve) => {
    let firstAt: number | undefined;
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => {
        firstAt ??= Date.now();
        if (Date.now() - firstAt > sameSignalMs) process.exit(128 + os.constants.signals[signal]);
        resolve(signal);
      });
    if (!isStartedByNpm()) return;
    const parent = process.ppid;
    const timer = setInterval(() => {
      if (process.ppid === parent && isAlive(parent)) return;
      clearInterval(timer);
      resolve("the end of npm");
    }, parentCheckMs);
    timer.unref();
  });
}

const isStartedByNpm = (): boolean => ["start", "npx"].includes(getEnv().npm_lifecycle_event ?? "");

/** Whether there is a process with this id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
