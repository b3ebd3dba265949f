import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";

const project = path.join(import.meta.dirname, "../..");

/**
 * Bundles the command `swarmloom` into `folder` and returns the path of its entry. Packages stay outside, and each command is a
 * file of its own that is loaded when it is called. Names contain a hash of the content: a file of that name is not written
 * again, and commands that run at the same time do not disturb each other. `folder` is as far below an installation as main.ts,
 * which looks for package.json, and its imports are found from there.
 * @param {string} folder
 */
export function bundleCommandLine(folder) {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: project,
    entryPoints: ["lib/cli/main.ts"],
    outdir: folder,
    entryNames: "[name]-[hash]",
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    alias: { "server-only": path.join(project, "node_modules/server-only/empty.js") },
    logLevel: "error",
  });
  mkdirSync(folder, { recursive: true });
  for (const { path: file, contents } of outputFiles) {
    if (existsSync(file)) continue;
    writeFileSync(`${file}.${process.pid}`, contents);
    renameSync(`${file}.${process.pid}`, file);
  }
  const [entry = ""] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === "lib/cli/main.ts") ?? [];
  return path.join(project, entry);
}
