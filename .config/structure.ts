import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { folderDependencies, packageOwners } from "./dependencies";

export const limits = { filesInFolder: 25, linesOfFunction: 60, propsOfComponent: 6 } as const;

/** Source texts by path relative to the project, e.g. `lib/core/flow/flow.ts`. */
export type SourceFiles = ReadonlyMap<string, string>;

/** What a file imports: project files by path, packages by name. */
interface FileImports {
  files: string[];
  packages: string[];
}

const isTestFile = (file: string): boolean =>
  /\.(test|bench|properties|arbitrary|samples)\.|\/testing\/|^app\/bench\//.test(file);

export const isSourceFile = (file: string): boolean =>
  /^(app|lib|prisma)\/.*\.tsx?$/.test(file) && !/generated|\.d\.ts$/.test(file) && !isTestFile(file);

const contains = (folder: string, file: string): boolean => file === folder || file.startsWith(`${folder}/`);

function readImports(file: string, text: string, sources: SourceFiles): FileImports {
  const imports: FileImports = { files: [], packages: [] };
  for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
    const isAlias = fileName.startsWith("@/");
    if (!isAlias && !fileName.startsWith(".")) {
      imports.packages.push(fileName.split("/", fileName.startsWith("@") ? 2 : 1).join("/"));
      continue;
    }
    const target = isAlias ? fileName.slice(2) : path.posix.join(path.posix.dirname(file), fileName);
    const extension = ["", ".ts", ".tsx"].find((suffix) => sources.has(target + suffix)) ?? "";
    imports.files.push(target + extension);
  }
  return imports;
}

/** The imports of every file, as a graph of project files and lists of packages. */
export function readImportGraph(sources: SourceFiles): Map<string, FileImports> {
  return new Map([...sources].map(([file, text]) => [file, readImports(file, text, sources)]));
}

/** The line of the dependency table that a file follows: the one with the longest path. */
const ruleOf = (file: string): string | undefined =>
  Object.keys(folderDependencies)
    .filter((folder) => contains(folder, file))
    .sort((left, right) => right.length - left.length)[0];

function isAllowedPackage(name: string, file: string, allowed: readonly string[]): boolean {
  const owners = packageOwners[name];
  if (owners !== undefined) return owners.split(" ").some((owner) => contains(owner, file));
  return allowed.includes(name) || allowed.includes("*");
}

/** One sentence for each import that the dependency table does not allow. */
export function findForbiddenImports(graph: ReadonlyMap<string, FileImports>): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const rule = ruleOf(file);
    if (rule === undefined) return [`${file} is in no folder of .config/dependencies.ts`];
    const allowed = String(folderDependencies[rule]).split(" ");
    const folders = [rule, ...allowed];
    return [
      ...imports.files.filter((target) => !folders.some((folder) => contains(folder, target))),
      ...imports.packages.filter((name) => !isAllowedPackage(name.replace(/^node:/, ""), file, allowed)),
    ].map((target) => `${file} must not import ${target} (${rule} may import: ${allowed.join(", ")})`);
  });
}

/** Strongly connected components of two or more nodes (Tarjan 1972). */
function findComponents(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const components: string[][] = [];
  const visit = (node: string): number => {
    const index = order.size;
    order.set(node, index);
    stack.push(node);
    let low = index;
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, Number(lowest.get(next) ?? order.get(next)));
    }
    lowest.set(node, low);
    if (low === index) {
      const members = stack.splice(stack.indexOf(node));
      if (members.length > 1) components.push(members.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return components;
}

/** Import cycles of files (type imports included) and of folders; a folder and its own sub-folder are no pair. */
export function findImportCycles(graph: ReadonlyMap<string, FileImports>): string[] {
  const files = new Map([...graph].map(([file, imports]) => [file, new Set(imports.files)]));
  const folders = new Map<string, Set<string>>();
  for (const [file, targets] of files) {
    const folder = path.posix.dirname(file);
    const others = folders.get(folder) ?? new Set();
    folders.set(folder, others);
    for (const target of [...targets].map((name) => path.posix.dirname(name)))
      if (!contains(folder, target) && !contains(target, folder)) others.add(target);
  }
  return [...findComponents(files), ...findComponents(folders)].map((members) => `cycle: ${members.join(" <-> ")}`);
}

export function findCrowdedFolders(files: Iterable<string>): string[] {
  const sizes = new Map<string, number>();
  for (const folder of [...files].map((file) => path.posix.dirname(file)))
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > limits.filesInFolder)
    .map(([folder, size]) => `${folder} has ${size} source files, at most ${limits.filesInFolder} are allowed`);
}

const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    file,
    text,
    ts.ScriptTarget.Latest,
    true,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

function findLongFunctions(tree: ts.SourceFile): string[] {
  const problems: string[] = [];
  const lineAt = (position: number): number => tree.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const start = lineAt(node.getStart(tree));
      const count = lineAt(node.getEnd()) - start + 1;
      if (count > limits.linesOfFunction)
        problems.push(`${tree.fileName}:${start}: ${count} lines, at most ${limits.linesOfFunction} in a function`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return problems;
}

/** Components are functions with a capital letter; their props are the members of the first parameter's type. */
function findComponentsWithManyProps(tree: ts.SourceFile): string[] {
  const memberCounts = new Map(
    tree.statements.filter(ts.isInterfaceDeclaration).map((node) => [node.name.text, node.members.length]),
  );
  return tree.statements.filter(ts.isFunctionDeclaration).flatMap(({ name, parameters: [props] }) => {
    if (!props || !name || !/^[A-Z]/.test(name.text)) return [];
    const declared = props.type && ts.isTypeReferenceNode(props.type) ? props.type.typeName.getText(tree) : "";
    const literal = props.type && ts.isTypeLiteralNode(props.type) ? props.type.members.length : 0;
    const destructured = ts.isObjectBindingPattern(props.name) ? props.name.elements.length : 0;
    const count = Math.max(memberCounts.get(declared) ?? 0, literal, destructured);
    return count > limits.propsOfComponent
      ? [`${tree.fileName}: ${name.text} has ${count} props, at most ${limits.propsOfComponent} are allowed`]
      : [];
  });
}

/** Everything about the structure of these sources that the build refuses, one sentence each. */
export function checkStructure(sources: SourceFiles): string[] {
  const graph = readImportGraph(sources);
  return [
    ...findForbiddenImports(graph),
    ...findImportCycles(graph),
    ...findCrowdedFolders(sources.keys()),
    ...[...sources].flatMap(([file, text]) => {
      const tree = parse(file, text);
      return [...findLongFunctions(tree), ...(file.endsWith(".tsx") ? findComponentsWithManyProps(tree) : [])];
    }),
  ];
}

export const readSources = (root: string, files: Iterable<string>): SourceFiles =>
  new Map([...files].map((file) => [file, readFileSync(path.join(root, file), "utf8")]));
