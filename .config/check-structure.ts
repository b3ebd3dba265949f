/** `npm run lint`: import rules, cycles, sizes of folders, props of components. Exit code 1 with one line for each problem. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { checkStructure, isSourceFile, readSources } from "./structure";

const root = path.join(import.meta.dirname, "..");
const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
  maxBuffer: 100_000_000,
});
const files = tracked.split("\n").filter((file) => isSourceFile(file) && existsSync(path.join(root, file)));
const problems = checkStructure(readSources(root, files));
for (const problem of problems) console.error(problem);
console.log(`${files.length} source files, ${problems.length} structure problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
