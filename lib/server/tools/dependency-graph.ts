import "server-only";
import { z } from "zod";
import type { ToolContext } from "@/lib/core/run/ports/tool";
import { runTask } from "../cpu-worker/run-task";
import { defineTool } from "./define-tool";
import { findCycles } from "./imports/find-cycles";
import { listSourceFiles } from "./imports/list-files";
import type { SourceImport } from "./imports/read-imports";
import { resolveImport } from "./imports/resolve";
import { useWorkspace, type Workspace } from "./workspace";

/** Larger files are listed, but not read: they were made by programs. */
const maxFileBytes = 256_000;
const maxBytes = 6_000_000;
const maxLineLength = 20_000;
/** Imported names of one file. */
const maxImports = 1_000;
/** Milliseconds for one file, and for all of them. */
const [maxFileMs, maxMs] = [2_000, 30_000];

/** Shows which source files of the workspace import which. Nothing of them is run. */
export const dependencyGraph = defineTool({
  name: "dependency_graph",
  description:
    "Shows which source files (JavaScript, TypeScript, Python) in the workspace import which: files, edges, external packages and import cycles.",
  input: z.strictObject({
    path: z.string().min(1).max(1000).default(".").describe("Folder to look into. Default: the whole workspace"),
    max_files: z.int().min(1).max(1000).default(300).describe("Most files to read. Default: 300"),
  }),
  execute: ({ path, max_files }, context) =>
    useWorkspace(context, async (workspace) => {
      const location = await workspace.find(path);
      const { names, isCut } = await listSourceFiles(workspace, location, max_files, context.signal);
      const graph = new ImportGraph(new Set(names));
      const unread = await readAll(workspace, graph, context);
      const notes = [...(isCut ? [`only the first ${names.length} files were read`] : []), ...unread];
      return { ...graph.toAnswer(), ...(notes.length > 0 && { notes }) };
    }),
});

/** Reads the imports of all files into the graph; answers what was left out. */
async function readAll(workspace: Workspace, graph: ImportGraph, { signal, workspace: client = "" }: ToolContext) {
  const notes: string[] = [];
  const endsAt = performance.now() + maxMs;
  let bytes = 0;
  for (const name of graph.names) {
    const restMs = endsAt - performance.now();
    if (bytes > maxBytes || restMs <= 0) {
      const reason = bytes > maxBytes ? "too much text" : "it took too long";
      return [...notes, `the imports of ${name} and the files after it were not read: ${reason}`];
    }
    try {
      const { text } = await workspace.readText(await workspace.locate(name, "read"), maxFileBytes);
      bytes += text.length;
      assertShortLines(name, text);
      const deadlineMs = Math.min(maxFileMs, restMs);
      const imports = await runTask("read-imports", { name, text }, { client, deadlineMs, signal });
      const kept = takeFirst(imports);
      graph.add(name, kept);
      if (kept.length < imports.length) notes.push(`${name}: only the first ${maxImports} imported names were used`);
    } catch (error) {
      signal.throwIfAborted();
      notes.push(`not read: ${toNote(name, error)}`);
    }
  }
  return notes;
}

function assertShortLines(name: string, text: string): void {
  const longest = text.split("\n").reduce((length, line) => Math.max(length, line.length), 0);
  if (longest > maxLineLength)
    throw new Error(`${name} has a line of ${longest} characters; at most ${maxLineLength} are read.`);
}

/** The first imports, with at most `maxImports` imported names together. */
function takeFirst(imports: readonly SourceImport[]): readonly SourceImport[] {
  let count = 0;
  return imports.filter(({ names }) => {
    count += Math.max(1, names.length);
    return count <= maxImports;
  });
}

function toNote(name: string, error: unknown): string {
  const message = error instanceof Error ? error.message : "it cannot be read";
  return message.includes(name) ? message : `${name}: ${message}`;
}

class ImportGraph {
  readonly #edges = new Map<string, Set<string>>();
  readonly #external = new Map<string, number>();
  readonly #unresolved: { from: string; specifier: string }[] = [];

  constructor(readonly names: ReadonlySet<string>) {}

  add(importer: string, imports: readonly SourceImport[]): void {
    const targets = new Set<string>();
    const packages = new Set<string>();
    for (const importStatement of imports) {
      const resolved = resolveImport(importer, importStatement, this.names);
      if (resolved.type === "files") for (const file of resolved.files) targets.add(file);
      else if (resolved.type === "external") packages.add(resolved.name);
      else this.#unresolved.push({ from: importer, specifier: resolved.specifier });
    }
    this.#edges.set(importer, targets);
    for (const name of packages) this.#external.set(name, (this.#external.get(name) ?? 0) + 1);
  }

  /** `external` holds the number of files that import each package. */
  toAnswer() {
    const edges = [...this.#edges].map(([importer, targets]): [string, string[]] => [importer, [...targets].sort()]);
    return {
      files: [...this.names],
      edges: edges.flatMap(([importer, targets]) => targets.map((to) => ({ from: importer, to }))),
      external: Object.fromEntries([...this.#external].sort(([a], [b]) => (a < b ? -1 : 1))),
      cycles: findCycles(new Map(edges)),
      ...(this.#unresolved.length > 0 && { unresolved: this.#unresolved }),
    };
  }
}
