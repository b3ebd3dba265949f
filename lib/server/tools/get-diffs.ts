import "server-only";
import { createTwoFilesPatch } from "diff";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { runGit } from "./git";
import { Workspace } from "./workspace";

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
  execute: async (_input, context) => {
    const workspace = await Workspace.open(context);
    const git = async (...args: string[]): Promise<string> => {
      const { ok, text } = await runGit(workspace.root, args, context.signal);
      if (ok) return text;
      throw new Error(
        /not a git repository/i.test(text)
          ? "the workspace is no git repository, so there is nothing to compare with; an administrator runs git init in it"
          : `git says: ${text.slice(0, 500)}`,
      );
    };
    await git("rev-parse", "--git-dir");
    const changes = await git(...diffArguments, await findBase(workspace.root, context.signal), "--");
    const list = await git("ls-files", "--others", "--exclude-standard", "-z");
    const added = await showNewFiles(workspace, list.split("\0").filter(Boolean), context.signal);
    const whole = `${changes}${added}`;
    if (whole === "") return "no changes since the last commit";
    if (whole.length <= maxAnswer) return whole;
    const kept = whole.slice(0, whole.lastIndexOf("\n", maxAnswer) + 1);
    return `${kept}[cut: ${whole.length - kept.length} more characters of the diff]`;
  },
});

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
  const shown: string[] = [];
  for (const name of names.slice(0, maxNewFiles)) {
    signal.throwIfAborted();
    shown.push(await showNewFile(workspace, name));
  }
  if (names.length > maxNewFiles) shown.push(`[${names.length - maxNewFiles} more new files, not shown]\n`);
  return shown.join("");
}

/** A new file as git would show it; one that cannot be shown is named with the reason. */
async function showNewFile(workspace: Workspace, name: string): Promise<string> {
  const header = `diff --git a/${name} b/${name}\nnew file mode 100644\n`;
  try {
    const place = await workspace.locate(name, "read");
    const { text } = await workspace.readOwnText(place, maxNewFile);
    if (text === "") return header;
    const patch = createTwoFilesPatch("/dev/null", `b/${name}`, "", text);
    return `${header}${patch.slice(patch.indexOf("--- "))}`;
  } catch (error) {
    return `[new: ${error instanceof Error ? error.message : name}]\n`;
  }
}
