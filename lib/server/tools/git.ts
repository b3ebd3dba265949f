import "server-only";
import { execFile } from "node:child_process";
import { devNull } from "node:os";
import path from "node:path";
import { getEnv } from "../env";

const maxOutput = 16_000_000;
const maxSeconds = 20;

/** Nothing that a repository's own settings name is started: no hooks, watchers, external diffs or converters. */
const safeSettings = ["core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.external=", "core.quotePath=false"];

/** What git finds out; `ok` false: git refused, and `text` says why. */
export interface GitResult {
  ok: boolean;
  text: string;
}

/**
 * Runs one git command in a folder that is the top of its repository: without a shell, without the settings of the
 * machine and its users, without prompts.
 * @throws Error when git is not installed, takes too long or says too much.
 */
export async function runGit(root: string, args: readonly string[], signal: AbortSignal): Promise<GitResult> {
  const filters = await listFilters(root, signal);
  return start(root, [...args], filters, signal);
}

/** Filters are commands that a repository's settings name for its files; each of them is switched off. */
async function listFilters(root: string, signal: AbortSignal): Promise<string[]> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const { ok, text } = await start(root, args, [], signal);
  return ok ? text.split("\0").filter((name) => name !== "") : [];
}

function start(root: string, args: string[], emptied: readonly string[], signal: AbortSignal): Promise<GitResult> {
  const settings = safeSettings.flatMap((setting) => ["-c", setting]);
  const options = {
    cwd: root,
    env: toEnvironment(root, emptied),
    encoding: "utf8",
    maxBuffer: maxOutput,
    timeout: maxSeconds * 1000,
    signal,
    windowsHide: true,
  } as const;
  return new Promise((resolve, reject) => {
    execFile("git", ["--no-pager", ...settings, ...args], options, (error, stdout, stderr) => {
      if (!error) resolve({ ok: true, text: stdout });
      else if (signal.aborted) reject(signal.reason);
      else if (error.code === "ENOENT") reject(new Error("git is not installed on this machine"));
      else if (typeof error.code === "string") reject(new Error(`git answered with more than ${maxOutput} bytes`));
      else if (error.killed) reject(new Error(`git gave no answer within ${maxSeconds} s`));
      else resolve({ ok: false, text: stderr.trim() });
    });
  });
}

/** Only what git needs; `emptied` settings are set to nothing. */
const toEnvironment = (root: string, emptied: readonly string[]) => ({
  NODE_ENV: "production" as const,
  PATH: getEnv().PATH,
  LC_ALL: "C",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_CEILING_DIRECTORIES: path.dirname(root),
  GIT_WORK_TREE: root,
  GIT_CONFIG_COUNT: String(emptied.length),
  ...Object.fromEntries(
    emptied.flatMap((name, index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, name.endsWith(".required") ? "false" : ""],
    ]),
  ),
});
