/**
 * `npm run bench`: the unit benchmarks. A complete run writes its figures into the documentation; with a path as argument
 * only the benchmarks of that path run, and nothing is written.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { formatTable, writeFigures } from "./write-figures";

const root = path.join(import.meta.dirname, "../..");
const reportSchema = z.object({
  files: z.array(
    z.object({
      groups: z.array(
        z.object({
          fullName: z.string(),
          benchmarks: z.array(
            z.object({ name: z.string(), median: z.number(), min: z.number(), sampleCount: z.number() }),
          ),
        }),
      ),
    }),
  ),
});

const formatMilliseconds = (value: number): string => (value < 1 ? value.toPrecision(2) : value.toFixed(1));

const filters = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const report = path.join(folder, "report.json");
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const options = ["bench", "--run", "--config", ".config/vitest.config.ts", `--outputJson=${report}`];
const { status } = spawnSync(process.execPath, [vitest, ...options, ...filters], { cwd: root, stdio: "inherit" });
if (status === 0 && filters.length === 0) {
  const { files } = reportSchema.parse(JSON.parse(readFileSync(report, "utf8")));
  const rows = files
    .flatMap(({ groups }) => groups)
    .flatMap(({ fullName, benchmarks }) =>
      benchmarks.map(({ name, median, min, sampleCount }) => [
        `${fullName.split(" > ").at(-1)}: ${name}`,
        formatMilliseconds(median),
        formatMilliseconds(min),
        String(sampleCount),
      ]),
    )
    .sort(([nameA = ""], [nameB = ""]) => nameA.localeCompare(nameB, "en", { numeric: true }));
  writeFigures("engine", formatTable(["benchmark", "median, ms", "fastest, ms", "samples"], rows));
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = status ?? 1;
