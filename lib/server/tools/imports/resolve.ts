import "server-only";
import path from "node:path";
import { findLanguage, type Import } from "./read-imports";

/** Where an import leads: files of the workspace, a package, or nothing that is known. */
export type Resolved =
  | { type: "files"; files: string[] }
  | { type: "external"; name: string }
  | { type: "unresolved"; specifier: string };

/** Where an import of `file` leads, among the known files (paths with forward slashes from the workspace). */
export function resolveImport(file: string, one: Import, known: ReadonlySet<string>): Resolved {
  return findLanguage(file) === "python" ? resolvePython(file, one, known) : resolveJavascript(file, one, known);
}

const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

function resolveJavascript(file: string, { specifier }: Import, known: ReadonlySet<string>): Resolved {
  const bare = specifier.replace(/[?#].*$/, "");
  if (/^\.{1,2}(?:\/|$)/.test(bare)) {
    const found = findModule(path.posix.join(path.posix.dirname(file), bare), known);
    return found ? { type: "files", files: [found] } : { type: "unresolved", specifier };
  }
  // Most projects call their own top folder, or src, `@/` or `~/`.
  const [, own] = /^[@~]\/(.+)$/.exec(bare) ?? [];
  if (own === undefined) return { type: "external", name: toPackage(bare) };
  const found = findModule(own, known) ?? findModule(`src/${own}`, known);
  return found ? { type: "files", files: [found] } : { type: "unresolved", specifier };
}

/** The file, with an ending, in another language than written (`./a.js` for a.ts), or the index of a folder. */
function findModule(target: string, known: ReadonlySet<string>): string | undefined {
  const base = path.posix.normalize(target).replace(/\/$/, "");
  const written = base.replace(/\.([mc]?)js(x?)$/, ".$1ts$2");
  const candidates = [
    base,
    written,
    base.replace(/\.js$/, ".tsx"),
    ...endings.map((ending) => `${base}${ending}`),
    ...endings.map((ending) => path.posix.join(base, `index${ending}`)),
  ];
  return candidates.find((candidate) => known.has(candidate));
}

/** `@scope/name/deep` is of `@scope/name`. */
const toPackage = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

function resolvePython(file: string, { specifier, names }: Import, known: ReadonlySet<string>): Resolved {
  const [, dots = "", dotted = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
  const folder = path.posix.dirname(file);
  const parts = dotted.split(".").filter((part) => part !== "");
  const roots = dots === "" ? [".", "src", folder] : [path.posix.join(folder, ...Array(dots.length - 1).fill(".."))];
  for (const root of roots) {
    const files = findPython(path.posix.join(root, ...parts), names, known);
    if (files.length > 0) return { type: "files", files: files.filter((found) => found !== file) };
  }
  return dots === "" ? { type: "external", name: parts[0] ?? specifier } : { type: "unresolved", specifier };
}

/** The modules that are named from a package, else the module or the package itself. */
function findPython(target: string, names: readonly string[], known: ReadonlySet<string>): string[] {
  const find = (base: string) =>
    [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`, `${base}/__init__.pyi`]
      .map((candidate) => path.posix.normalize(candidate))
      .find((candidate) => known.has(candidate));
  const modules = names.map((name) => find(`${target}/${name}`));
  const own = modules.length === 0 || modules.includes(undefined) ? find(target) : undefined;
  return [...new Set([...modules, own])].filter((found) => found !== undefined);
}
