import "server-only";
import { execFile } from "node:child_process";
import { devNull } from "node:os";
import path from "node:path";
import { getEnv } from "../env";
import { gitFolderOf } from "./git-folder";

const maxOutput = 16_000_000;
const maxSeconds = 20;

/**
 * Nothing that a repository's own settings name is started: no hooks, watchers, external diffs or converters. Nothing is
 * written into it, and no repository is found but the one that is named.
 */
const safeSettings = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "diff.external=",
  "core.quotePath=false",
  "diff.autoRefreshIndex=false",
  "safe.bareRepository=explicit",
];

/** The output of git; `ok` false: git refused, and `text` has the reason. */
type GitResult = { ok: boolean; text: string };
/** A setting of git. */
type Setting = readonly [name: string, value: string];

/**
 * Runs one git command on the `.git` folder of a workspace: without a shell, without the settings of the machine and its
 * users, without prompts.
 * @throws Error when git is not installed, takes too long or prints too much.
 */
export const runGit = async (root: string, args: readonly string[], signal: AbortSignal): Promise<GitResult> =>
  start(root, args, await listOverrides(root, signal), signal);

/** Filters, and hooks since git 2.54, are commands that a repository's settings name: each of them is disabled. */
async function listOverrides(root: string, signal: AbortSignal): Promise<Setting[]> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^(filter|hook)\\."];
  const { ok, text } = await start(root, args, [], signal);
  const names = ok ? text.split("\0").filter((name) => name !== "") : [];
  return [...new Map(names.flatMap(toOverrides))];
}

/** `hook.<name>` is a hook or an event; an empty event takes a hook off all events (git-config, "hook.<name>.event"). */
function toOverrides(name: string): Setting[] {
  if (name.startsWith("filter.")) return [[name, name.endsWith(".required") ? "false" : ""]];
  const hook = name.slice(0, name.lastIndexOf("."));
  if (hook === "hook") return [];
  return [
    [`${hook}.event`, ""],
    [`${hook}.enabled`, "false"],
  ];
}

function start(
  root: string,
  args: readonly string[],
  overrides: readonly Setting[],
  signal: AbortSignal,
): Promise<GitResult> {
  const settings = safeSettings.flatMap((setting) => ["-c", setting]);
  const options = {
    cwd: root,
    env: toEnvironment(root, overrides),
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

/** Only what git needs, and settings that go before those of the repository. */
const toEnvironment = (root: string, overrides: readonly Setting[]) => ({
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
  GIT_LITERAL_PATHSPECS: "1",
  GIT_ALLOW_PROTOCOL: "none",
  GIT_CEILING_DIRECTORIES: path.dirname(root),
  GIT_DIR: gitFolderOf(root),
  GIT_WORK_TREE: root,
  GIT_CONFIG_COUNT: String(overrides.length),
  ...Object.fromEntries(
    overrides.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
});
