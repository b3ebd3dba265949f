/**
 * `npm run bench:ux:compare -- FOLDER ROUNDS [options of Playwright]`: measures this build and that of another folder
 * (an earlier revision, installed and built) in turn, with the measurements of this one, and prints a table of both. A round
 * takes about ten minutes with all measurements; the name of a spec file or `-g TEXT` chooses some.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { z } from "zod";
import { type ComparedFigure, type ComparedRound, compareFigures } from "@/lib/bench/compare-figures";
import { formatTable } from "@/lib/bench/write-figures";
import { type Figure, figureSchema } from "./figures";

const root = path.join(import.meta.dirname, "../..");
const playwright = path.join(
  path.dirname(createRequire(import.meta.url).resolve("@playwright/test/package.json")),
  "cli.js",
);

const annotations = z.array(z.object({ type: z.string(), description: z.string().optional() }));
const suite = z.object({
  specs: z.array(z.object({ title: z.string(), ok: z.boolean(), tests: z.array(z.object({ annotations })) })),
  get suites() {
    return z.array(suite).optional();
  },
});
const report = z.object({ suites: z.array(suite) });

const allSpecs = ({ specs, suites = [] }: z.infer<typeof suite>): (typeof specs)[number][] => [
  ...specs,
  ...suites.flatMap(allSpecs),
];

/** Figures of the build in a folder. What fails is named; what it measured until then counts, and what gave no number does not. */
function measure(folder: string, options: readonly string[]): Figure[] {
  const command = [
    playwright,
    "test",
    "--config",
    "e2e/performance/playwright.config.ts",
    "--reporter=json",
    ...options,
  ];
  const { stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    env: { ...process.env, BENCH_FOLDER: folder },
  });
  if (!stdout.startsWith("{")) throw new Error(`no measurements of ${folder}:\n${stdout}${stderr}`);
  const specs = report.parse(JSON.parse(stdout)).suites.flatMap(allSpecs);
  for (const { title } of specs.filter(({ ok }) => !ok)) console.log(`  over a limit or failed: ${title}`);
  return specs
    .flatMap(({ tests }) => tests.flatMap((test) => test.annotations))
    .filter(({ type }) => type === "figure")
    .flatMap(({ description }) => figureSchema.safeParse(JSON.parse(description ?? "")).data ?? []);
}

const toShort = (value: number): string => String(Math.round(value * 100) / 100);

const toRow = ({ subject, what, unit, before, after, ratio, range, verdict }: ComparedFigure): string[] => [
  subject,
  what,
  `${toShort(before)} ${unit}`,
  `${toShort(after)} ${unit}`,
  toShort(ratio),
  range.map(toShort).join(" to "),
  verdict,
];

function compareBuilds(other: string, count: number, options: readonly string[]): void {
  const rounds: ComparedRound[] = [];
  for (let number = 1; number <= count; number++) {
    console.log(`round ${number} of ${count}`);
    // The first of a pair has a cooler processor and an emptier cache: take turns.
    const first = number % 2 === 1 ? other : root;
    const figures = measure(first, options);
    const others = measure(first === other ? root : other, options);
    rounds.push(first === other ? { before: figures, after: others } : { before: others, after: figures });
  }
  const header = ["subject", "measured", "before", "after", "ratio", "least to most", ""];
  console.log(`\n${formatTable(header, compareFigures(rounds).map(toRow))}`);
}

const [folder = "", count = "", ...options] = process.argv.slice(2);
const rounds = Number(count);
if (!existsSync(path.join(folder, ".next/BUILD_ID")) || !Number.isInteger(rounds) || rounds < 1) {
  console.error("expected: the folder of another build (npm ci && npm run build), and how many rounds to measure");
  process.exit(1);
}
compareBuilds(path.resolve(folder), rounds, options);
