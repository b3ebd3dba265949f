import "server-only";
import { formatPatch, structuredPatch } from "diff";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { runGit } from "./git";
import { assertOwnRepository, noRepository } from "./git-folder";
import { useWorkspace, type Workspace } from "./workspace";

/** Longest answer, and the new files of which the text is shown. */
const maxAnswer = 190_000;
const maxNewFiles = 200;
const maxNewFile = 256_000;

/** Shows what was changed in the workspace since the last commit. Changes nothing. */
export const getDiffs = defineTool({
  name: "get_diffs",
  description:
    "Shows the changes in the workspace since the last git commit as one unified diff, new files included. Takes no arguments.",
  input: z.strictObject({}),
  execute: (_input, context) =>
    useWorkspace(context, async (workspace) => {
      const { signal } = context;
      await assertOwnRepository(workspace.root);
      await ask(workspace, ["rev-parse", "--git-dir"], signal);
      const base = await findBase(workspace.root, signal);
      const changes = withoutUnchanged(await ask(workspace, [...diffArguments, base, "--"], signal));
      const list = await ask(workspace, ["ls-files", "--others", "--exclude-standard", "-z"], signal);
      const added = await showNewFiles(workspace, list.split("\0").filter(Boolean), signal);
      return changes === "" && added === "" ? "no changes since the last commit" : cut(`${changes}${added}`);
    }),
});

/** Of a file whose time alone changed git shows a head without a body, because its index is never refreshed here. */
const withoutUnchanged = (diff: string): string => diff.replace(/^diff --git .*\n(?=diff --git |(?![\s\S]))/gm, "");

function cut(diff: string): string {
  if (diff.length <= maxAnswer) return diff;
  const shortened = diff.slice(0, diff.lastIndexOf("\n", maxAnswer) + 1);
  return `${shortened}[cut: ${diff.length - shortened.length} more characters of the diff]`;
}

async function ask(workspace: Workspace, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { ok, text } = await runGit(workspace.root, args, signal);
  if (ok) return text;
  throw new Error(
    /not a git repository/i.test(text)
      ? noRepository
      : `git reports: ${text.replaceAll(workspace.root, "the workspace").slice(0, 500)}`,
  );
}

const diffArguments = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=all",
  "--src-prefix=a/",
  "--dst-prefix=b/",
];

/** The last commit, or before the first one the tree without files. */
async function findBase(root: string, signal: AbortSignal): Promise<string> {
  const head = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], signal);
  if (head.ok) return head.text.trim();
  const { text } = await runGit(root, ["hash-object", "-t", "tree", "/dev/null"], signal);
  return text.trim();
}

async function showNewFiles(workspace: Workspace, names: readonly string[], signal: AbortSignal): Promise<string> {
  const fileDiffs: string[] = [];
  for (const name of names.slice(0, maxNewFiles)) {
    signal.throwIfAborted();
    fileDiffs.push(await showNewFile(workspace, name));
  }
  if (names.length > maxNewFiles) fileDiffs.push(`[${names.length - maxNewFiles} more new files, not shown]\n`);
  return fileDiffs.join("");
}

/** A new file as git would show it; one that cannot be shown is named with the reason. */
async function showNewFile(workspace: Workspace, name: string): Promise<string> {
  try {
    const location = await workspace.locate(name, "read");
    const { text } = await workspace.readOwnText(location, maxNewFile);
    const patch = structuredPatch("/dev/null", `b/${name}`, "", text);
    const names = { oldFileName: `a/${name}`, newFileName: `b/${name}` };
    const isEmpty = patch.hunks.length === 0;
    return formatPatch({ ...patch, ...(isEmpty && names), isGit: true, isCreate: true, newMode: "100644" });
  } catch (error) {
    return `[new: ${error instanceof Error ? error.message : name}]\n`;
  }
}
