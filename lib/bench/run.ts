/**
 * `npm run bench`: the unit benchmarks, `bench:runs`, and `bench:server` on a new build: on SQLite, and with two workers on a
 * PostgreSQL server that is started for it. A complete run writes the figures of the unit benchmarks into the documentation;
 * with a path as argument only those of that path run, and nothing is written.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { withPostgres } from "./with-postgres";
import { formatTable, writeFigures } from "./write-figures";

const root = path.join(import.meta.dirname, "../..");
const reportSchema = z.object({
  files: z.array(
    z.object({
      groups: z.array(
        z.object({
          fullName: z.string(),
          benchmarks: z.array(
            z.object({
              name: z.string(),
              median: z.number(),
              mean: z.number(),
              min: z.number(),
              sampleCount: z.number(),
            }),
          ),
        }),
      ),
    }),
  ),
});

type BenchGroup = z.infer<typeof reportSchema>["files"][number]["groups"][number];

const formatMilliseconds = (value: number): string => (value < 1 ? value.toPrecision(2) : value.toFixed(1));

function toTable(groups: readonly BenchGroup[]): string {
  const rows = groups
    .flatMap(({ fullName, benchmarks }) =>
      benchmarks.map(({ name, median, mean, min, sampleCount }) => [
        `${fullName.split(" > ").at(-1)}: ${name}`,
        ...[median, mean, min].map(formatMilliseconds),
        String(sampleCount),
      ]),
    )
    .sort(([nameA = ""], [nameB = ""]) => nameA.localeCompare(nameB, "en", { numeric: true }));
  return formatTable(["benchmark", "median, ms", "mean, ms", "fastest, ms", "samples"], rows);
}

const filters = process.argv.slice(2);
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
const report = path.join(folder, "report.json");
const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const options = ["bench", "--run", "--config", ".config/vitest.config.ts", `--outputJson=${report}`];
const { status } = spawnSync(process.execPath, [vitest, ...options, ...filters], { cwd: root, stdio: "inherit" });
if (status === 0 && filters.length === 0) {
  const { files } = reportSchema.parse(JSON.parse(readFileSync(report, "utf8")));
  const groups = files.flatMap((file) => file.groups);
  const isOfModel = ({ fullName }: BenchGroup): boolean => fullName.includes("model of a run");
  writeFigures("engine", toTable(groups.filter((group) => !isOfModel(group))));
  writeFigures("run models", toTable(groups.filter(isOfModel)));
}
rmSync(folder, { recursive: true, force: true });
if (status !== 0) process.exit(status ?? 1);
if (filters.length === 0) await measureServer();

async function measureServer(): Promise<void> {
  runScript(["bench:runs"]);
  runScript(["build"]);
  runScript(["bench:server"]);
  await withPostgres((url) => runScript(["bench:server", "--", "2"], { DATABASE_URL: url }));
}

/** Throws when the script fails. */
function runScript(words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  execFileSync("npm", ["run", ...words], { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
}
