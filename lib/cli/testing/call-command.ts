import { format } from "node:util";
import { vi } from "vitest";
import { runCommandLine } from "../program";

/** Calls a command of `swarmloom` in this process; what it prints is caught. */
export async function callCommand(...args: string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => stdout.push(String(chunk)) > 0);
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => stderr.push(String(chunk)) > 0);
  vi.spyOn(console, "error").mockImplementation((...values) => void stderr.push(`${format(...values)}\n`));
  const code = await runCommandLine(args);
  vi.restoreAllMocks();
  return { stdout: stdout.join(""), stderr: stderr.join(""), code };
}
