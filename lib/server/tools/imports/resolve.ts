import "server-only";
import path from "node:path";
import { findLanguage, type SourceImport } from "./read-imports";

/** Where an import leads: files of the workspace, a package, or nothing that is known. */
export type Resolved =
  | { type: "files"; files: string[] }
  | { type: "external"; name: string }
  | { type: "unresolved"; specifier: string };

/** Longest specifier that can name a file. Longer ones take long to resolve, and were not written for it. */
const maxSpecifierLength = 500;

/** Where an import of `file` leads, among the known files (paths with forward slashes from the workspace). */
export function resolveImport(file: string, sourceImport: SourceImport, knownFiles: ReadonlySet<string>): Resolved {
  const { specifier } = sourceImport;
  if (specifier.length > maxSpecifierLength) return { type: "unresolved", specifier: `${specifier.slice(0, 100)}…` };
  return findLanguage(file) === "python"
    ? resolvePython(file, sourceImport, knownFiles)
    : resolveJavascript(file, sourceImport, knownFiles);
}

const endings = [".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

function resolveJavascript(file: string, { specifier }: SourceImport, knownFiles: ReadonlySet<string>): Resolved {
  const bare = specifier.replace(/[?#].*$/, "");
  const isRelative = /^\.{1,2}(?:\/|$)/.test(bare);
  // Most projects call their own top folder, or src, `@/` or `~/`.
  const [, pathFromTop] = /^[@~]\/(.+)$/.exec(bare) ?? [];
  if (!isRelative && pathFromTop === undefined) return { type: "external", name: toPackage(bare) };
  const target = pathFromTop ?? path.posix.join(path.posix.dirname(file), bare);
  const module = findModule(target, knownFiles) ?? (isRelative ? undefined : findModule(`src/${target}`, knownFiles));
  return module ? { type: "files", files: [module] } : { type: "unresolved", specifier };
}

/** The file, with an ending, in another language than written (`./a.js` for a.ts), or the index of a folder. */
function findModule(target: string, knownFiles: ReadonlySet<string>): string | undefined {
  const base = path.posix.normalize(target).replace(/\/$/, "");
  const written = base.replace(/\.([mc]?)js(x?)$/, ".$1ts$2");
  const candidates = [
    base,
    written,
    base.replace(/\.js$/, ".tsx"),
    ...endings.map((ending) => `${base}${ending}`),
    ...endings.map((ending) => path.posix.join(base, `index${ending}`)),
  ];
  return candidates.find((candidate) => knownFiles.has(candidate));
}

/** `@scope/name/deep` is of `@scope/name`. */
const toPackage = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

function resolvePython(file: string, { specifier, names }: SourceImport, knownFiles: ReadonlySet<string>): Resolved {
  const [, dots = "", dotted = ""] = /^(\.*)(.*)$/.exec(specifier) ?? [];
  const folder = path.posix.dirname(file);
  const segments = dotted.split(".").filter((segment) => segment !== "");
  const roots = dots === "" ? [".", "src", folder] : [path.posix.join(folder, ...Array(dots.length - 1).fill(".."))];
  for (const root of roots) {
    const files = findPython(path.posix.join(root, ...segments), names, knownFiles);
    if (files.length > 0) return { type: "files", files: files.filter((candidate) => candidate !== file) };
  }
  return dots === "" ? { type: "external", name: segments[0] ?? specifier } : { type: "unresolved", specifier };
}

/** The modules that are named from a package, else the module or the package itself. */
function findPython(target: string, names: readonly string[], knownFiles: ReadonlySet<string>): string[] {
  const find = (base: string) =>
    [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`, `${base}/__init__.pyi`]
      .map((candidate) => path.posix.normalize(candidate))
      .find((candidate) => knownFiles.has(candidate));
  const modules = names.map((name) => find(`${target}/${name}`));
  const packageFile = modules.length === 0 || modules.includes(undefined) ? find(target) : undefined;
  return [...new Set([...modules, packageFile])].filter((moduleFile) => moduleFile !== undefined);
}
