import "server-only";
import path from "node:path";
import { formatPatch, structuredPatch } from "diff";
import { z } from "zod";
import { defineTool } from "./define-tool";
import { runGit } from "./git";
import { assertOwnRepository, describeNoRepository } from "./git-folder";
import { useWorkspace, type Workspace } from "./workspace";

/** Longest answer, and the new files of which the text is shown. */
const maxAnswer = 190_000;
const maxNewFiles = 200;
const maxNewFile = 256_000;

const place = z.string().min(1).max(1000);

/** Shows what was changed in a repository since the last commit. Changes nothing. */
export const getDiffs = defineTool({
  name: "get_diffs",
  description:
    "Shows the changes in the workspace, or in one repository inside it, since the last git commit as one unified diff, new files included.",
  input: z.strictObject({
    projectPath: place
      .optional()
      .describe("A folder of the workspace that is a git repository. Default: the workspace itself"),
    staged: z.boolean().optional().describe("true: only what is staged for the next commit. Default: all changes"),
    files: z
      .array(place)
      .max(200)
      .optional()
      .describe("Only these files and folders, relative to the workspace. Default: all"),
  }),
  execute: ({ projectPath, staged = false, files = [] }, context) =>
    useWorkspace(context, async (workspace) => {
      const { signal } = context;
      const project = await openProject(workspace, projectPath);
      const chosen = await Promise.all(files.map((file) => toPathInProject(workspace, project, file)));
      await ask(project, ["rev-parse", "--git-dir"], signal);
      const base = await findBase(project.root, signal);
      const args = [...diffArguments, ...toPrefixes(project), ...(staged ? ["--cached"] : []), base, "--", ...chosen];
      const changes = withoutUnchanged(await ask(project, args, signal));
      const added = staged ? "" : await showNewFiles(workspace, await listNewFiles(project, chosen, signal), signal);
      return changes === "" && added === "" ? toNothing(staged, files) : cut(`${changes}${added}`);
    }),
});

/** A repository in the workspace. */
interface Project {
  /** Its real path. */
  root: string;
  /** What comes before the paths of its files, relative to the workspace: empty, or with a slash at the end. */
  prefix: string;
  /** How messages call it. */
  name: string;
}

async function openProject(workspace: Workspace, projectPath = "."): Promise<Project> {
  const relative = path.relative(workspace.root, path.resolve(workspace.root, projectPath));
  const folder = await workspace.findFolder(relative === "" ? "." : relative);
  const isWorkspace = folder.absolute === workspace.root;
  const project = isWorkspace
    ? { root: workspace.root, prefix: "", name: "the workspace" }
    : { root: folder.absolute, prefix: `${folder.name}/`, name: `"${folder.name}"` };
  await assertOwnRepository(project.root, project.name);
  return project;
}

/** @throws Error for the model where it lies outside of the project. */
async function toPathInProject(workspace: Workspace, { root, prefix, name }: Project, file: string): Promise<string> {
  const location = await workspace.locate(file, "read");
  if (location.absolute === root) return ".";
  if (!location.name.startsWith(prefix)) throw new Error(`"${file}" is not in ${name}; name files inside it`);
  return location.name.slice(prefix.length);
}

const toNothing = (staged: boolean, files: readonly string[]): string =>
  `no ${staged ? "staged " : ""}changes${files.length > 0 ? " of these files" : ""} since the last commit`;

async function listNewFiles(project: Project, chosen: readonly string[], signal: AbortSignal): Promise<string[]> {
  const list = await ask(project, ["ls-files", "--others", "--exclude-standard", "-z", "--", ...chosen], signal);
  return list
    .split("\0")
    .filter(Boolean)
    .map((name) => `${project.prefix}${name}`);
}

/** Of a file whose time alone changed git shows a head without a body, because its index is never refreshed here. */
const withoutUnchanged = (diff: string): string => diff.replace(/^diff --git .*\n(?=diff --git |(?![\s\S]))/gm, "");

function cut(diff: string): string {
  if (diff.length <= maxAnswer) return diff;
  const shortened = diff.slice(0, diff.lastIndexOf("\n", maxAnswer) + 1);
  return `${shortened}[cut: ${diff.length - shortened.length} more characters of the diff]`;
}

async function ask({ root, name }: Project, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { ok, text } = await runGit(root, args, signal);
  if (ok) return text;
  throw new Error(
    /not a git repository/i.test(text)
      ? describeNoRepository(name)
      : `git reports: ${text.replaceAll(root, name).slice(0, 500)}`,
  );
}

const diffArguments = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=all",
];

/** Paths of a diff are relative to the workspace, as those of all file tools. */
const toPrefixes = ({ prefix }: Project): string[] => [`--src-prefix=a/${prefix}`, `--dst-prefix=b/${prefix}`];

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
    // Git names a repository inside of another one as a folder.
    if (name.endsWith("/")) return `[new: "${name.slice(0, -1)}" is a repository of its own; name it as projectPath]\n`;
    return `[new: ${error instanceof Error ? error.message : name}]\n`;
  }
}
