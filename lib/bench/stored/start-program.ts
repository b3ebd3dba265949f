import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";

/** Starts a program of this folder as a process, on the database of its environment. */
export function startProgram(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const execArgv = ["--conditions=react-server", "--import", "tsx"];
  return fork(path.join(import.meta.dirname, name), args, { execArgv, env: { ...process.env, ...env } });
}
