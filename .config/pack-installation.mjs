// `node .config/pack-installation.mjs FOLDER`, after `npx next build`: writes an installation that needs neither sources nor
// compilers, e.g. for a container: the build, every command, and the files of packages that these load.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { bundleCommandLine } from "../lib/cli/bundle.mjs";
import { hashSources } from "../lib/cli/server/source-hash.mjs";

const project = path.dirname(import.meta.dirname);
const buildFolder = ".next";
const bundleFolder = "node_modules/.swarmloom";

/** What is read by its path, not imported. */
const resources = [
  "LICENSE",
  "package.json",
  "lib/cli/swarmloom.mjs",
  "lib/templates",
  "app/docs/_content",
  "prisma/migrations",
  ".config/no-telemetry.mjs",
  ".config/check-health.mjs",
];

/** What a build leaves that its server does not read. Node reads source maps with a flag only. */
const unserved =
  /^\.next\/(?:(?:build|cache|dev|diagnostics|lock|trace|trace-build|turbopack|types)(?:\/|$)|server\/.+\.map$)|\.nft\.json$/;

/** Packages for what an installation does not do: compile, resize images, read configurations in TypeScript; and documents. */
const unusedPackages = ["typescript", "tsx", "esbuild", "sharp", "@img", "babel-plugin-react-compiler", "@babel/types"];
const unusedFolders = [...unusedPackages, "next/dist/docs"];
const unused = new RegExp(`^node_modules/(?:${unusedFolders.join("|")})/|\\.map$|\\.d\\.[cm]?ts$`);

/**
 * The files that the bundle of the commands, and the build, may load; paths are relative to the project.
 * @param {string} main
 */
async function listLoadedFiles(main) {
  const { fileList } = await nodeFileTrace([main], { base: project, ignore: (file) => unused.test(file) });
  const files = new Set([...fileList, ...listFilesOfBuild()]);
  return [...files].filter((file) => file.startsWith("node_modules/") && !unused.test(file));
}

/** Next has traced each of its pages, and its server. */
function listFilesOfBuild() {
  const names = readdirSync(path.join(project, buildFolder), { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".nft.json") && name !== "next-minimal-server.js.nft.json")
    .flatMap((name) => {
      const trace = path.join(project, buildFolder, name);
      /** @type {{ files: string[] }} */
      const { files } = JSON.parse(readFileSync(trace, "utf8"));
      return files.map((file) => path.relative(project, path.resolve(path.dirname(trace), file)));
    });
}

/** @param {string} target */
function assertPackable(target) {
  const buildId = path.join(project, buildFolder, "BUILD_ID");
  if (!existsSync(buildId) || readFileSync(buildId, "utf8").trim() !== hashSources(project))
    throw new Error("There is no build of the present sources. Call `npx next build` first.");
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Name a new folder.`);
}

/** @param {string} target */
async function packInstallation(target) {
  assertPackable(target);
  /** @type {(file: string, to?: string) => void} */
  const copy = (file, to = file) =>
    cpSync(path.join(project, file), path.join(target, to), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !unserved.test(path.relative(project, source)),
    });
  for (const file of [...resources, buildFolder]) copy(file);
  const main = bundleCommandLine(path.join(project, bundleFolder));
  for (const file of await listLoadedFiles(main)) {
    const absolute = path.join(project, file);
    if (lstatSync(absolute).isDirectory()) continue;
    const isBundle = file.startsWith(bundleFolder);
    copy(file, isBundle ? `lib/cli/${absolute === main ? "main.mjs" : path.basename(file)}` : file);
  }
  mkdirSync(path.join(target, "data"));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Expected the folder to write: node .config/pack-installation.mjs FOLDER");
  process.exitCode = 2;
} else await packInstallation(path.resolve(folder));
