import "server-only";
import { parser as javascript } from "@lezer/javascript";
import { parser as python } from "@lezer/python";

/** What a source file imports, as it writes it. Python's `from .a import b` is `.a` with the name `b`. */
export interface SourceImport {
  specifier: string;
  names: string[];
}

type LezerTree = ReturnType<typeof javascript.parse>;
type SyntaxNode = LezerTree["topNode"];

export type Language = "javascript" | "python";

const languages: readonly [ends: RegExp, language: Language, parse: (text: string) => LezerTree][] = [
  [/\.(?:ts|mts|cts)$/, "javascript", (text) => typescript.parse(text)],
  [/\.tsx$/, "javascript", (text) => tsx.parse(text)],
  [/\.(?:js|jsx|mjs|cjs)$/, "javascript", (text) => jsx.parse(text)],
  [/\.pyi?$/, "python", (text) => python.parse(text)],
];
const typescript = javascript.configure({ dialect: "ts" });
const tsx = javascript.configure({ dialect: "ts jsx" });
const jsx = javascript.configure({ dialect: "jsx" });

/** The language of a file by its name; null: none whose imports are known. */
export const findLanguage = (name: string): Language | null => languages.find(([ends]) => ends.test(name))?.[1] ?? null;

/**
 * What a file imports, each thing once. Reads files with mistakes too; nothing of them is run. Takes long for some texts:
 * the server runs it as a task.
 */
export function readImports(name: string, text: string): SourceImport[] {
  const languageEntry = languages.find(([ends]) => ends.test(name));
  if (!languageEntry) return [];
  const [, language, parse] = languageEntry;
  const imports: SourceImport[] = [];
  const read = language === "python" ? readPython : readJavascript;
  parse(text).iterate({ enter: ({ node }) => void imports.push(...read(node, text)) });
  return [...new Map(imports.map((entry) => [`${entry.specifier} ${entry.names.join()}`, entry])).values()];
}

const textOf = (node: SyntaxNode, text: string): string => text.slice(node.from, node.to);

/** `import … from "x"`, `export … from "x"`, `import("x")`, `require("x")` */
function readJavascript(node: SyntaxNode, text: string): SourceImport[] {
  const holder = findHolder(node, text);
  const string = holder?.getChild("String") ?? null;
  if (!string) return [];
  const specifier = textOf(string, text).slice(1, -1);
  return specifier === "" || specifier.includes("\\") ? [] : [{ specifier, names: [] }];
}

/** The node that contains the string of an import. */
function findHolder(node: SyntaxNode, text: string): SyntaxNode | null {
  switch (node.name) {
    case "ImportDeclaration":
    case "DynamicImport":
    case "ImportType":
      return node;
    case "ExportDeclaration":
      return node.getChild("from") ? node : null;
    case "CallExpression": {
      const called = node.firstChild;
      const isRequire = called?.name === "VariableName" && textOf(called, text) === "require";
      return isRequire ? node.getChild("ArgList") : null;
    }
    default:
      return null;
  }
}

/** `import a.b as c, d` and `from ..a import b as c, d` */
function readPython(node: SyntaxNode, text: string): SourceImport[] {
  if (node.name !== "ImportStatement") return [];
  const tokens: string[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== "Comment") tokens.push(textOf(child, text));
  const importIndex = tokens.indexOf("import");
  if (importIndex < 0) return [];
  const names = readNames(tokens.slice(importIndex + 1));
  if (importIndex === 0) return names.map((specifier) => ({ specifier, names: [] }));
  return [{ specifier: tokens.slice(1, importIndex).join(""), names }];
}

/** The names of `a.b as c, (d)`, without what they are called afterwards. */
const readNames = (tokens: readonly string[]): string[] =>
  tokens
    .filter((token) => token !== "(" && token !== ")")
    .join(" ")
    .split(",")
    .map((name) => name.replace(/(?:^| )as(?: .*)?$/s, "").replaceAll(" ", ""))
    .filter(Boolean);
