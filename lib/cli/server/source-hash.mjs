import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

/** What goes into a build, from the project's folder. */
const sources = [".postcssrc.json", "app", "lib", "next.config.js", "package-lock.json", "prisma", "tsconfig.json"];

/** What the app never imports. */
const ignored = /(?:^lib\/(?:bench|cli)\/|^prisma\/migrations\/|\.(?:test|bench|arbitrary)\.tsx?$|\/\.[^/]*$)/;

/**
 * A name for the content of everything that a build is made of, the same on every platform. Times of files do not matter:
 * a generated client that is written again with the same content is the same source.
 * @param {string} folder
 */
export function hashSources(folder) {
  const hash = createHash("sha256");
  for (const file of sources.flatMap((name) => listFiles(folder, name)).sort()) {
    const content = readFileSync(path.join(folder, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 20);
}

/**
 * @param {string} folder
 * @param {string} name
 */
function listFiles(folder, name) {
  const target = path.join(folder, name);
  const entry = statSync(target, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry ? [name] : [];
  return readdirSync(target, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => path.relative(folder, path.join(file.parentPath, file.name)).replaceAll(path.sep, "/"))
    .filter((file) => !ignored.test(file));
}
