/**
 * `npm test`: everything that CI checks, in order, each check even when an earlier one failed (but no browser tests without
 * a build). Unit and browser tests list their ten slowest files. Ends with `N passed, N failed` alone on a line; exit code 1 when anything failed.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import "../.config/no-telemetry.mjs";

interface Count {
  passed: number;
  failed: number;
}

const root = path.join(import.meta.dirname, "..");
const resolve = createRequire(import.meta.url).resolve;
const reports = mkdtempSync(path.join(os.tmpdir(), "swarmloom-test-"));
const bins = {
  biome: path.join(root, "node_modules/@biomejs/biome/bin/biome"),
  next: resolve("next/dist/bin/next"),
  tsc: resolve("typescript/bin/tsc"),
  tsx: resolve("tsx/cli"),
  vitest: path.join(root, "node_modules/vitest/vitest.mjs"),
  playwright: path.join(path.dirname(resolve("@playwright/test/package.json")), "cli.js"),
};

function run(title: string, command: readonly string[], env: Record<string, string> = {}): boolean {
  console.log(`\n== ${title}`);
  const started = Date.now();
  const result = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const passed = result.status === 0;
  console.log(`== ${title}: ${passed ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return passed;
}

const toCount = (passed: boolean): Count => (passed ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });

const vitestReport = z.object({ numPassedTests: z.number(), numFailedTests: z.number() });
const suiteSchema = z.object({
  title: z.string(),
  specs: z.array(z.object({ tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })) })),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(suiteSchema),
});

/** Milliseconds of all attempts of all tests in a suite. */
const sumDurations = ({ specs, suites = [] }: z.infer<typeof suiteSchema>): number =>
  [
    ...specs.flatMap(({ tests }) => tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    ...suites.map(sumDurations),
  ].reduce((sum, duration) => sum + duration, 0);

function printSlowestFiles(suites: readonly z.infer<typeof suiteSchema>[]): void {
  const files = suites.map((suite) => ({ name: suite.title, seconds: sumDurations(suite) / 1000 }));
  console.log("\nSlowest browser test files:");
  for (const { name, seconds } of files.sort((left, right) => right.seconds - left.seconds).slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}

/** The counts in a runner's report; a runner that failed without a failed test counts as one failure. */
function readCount(file: string, passed: boolean, count: (json: unknown) => Count): Count {
  if (!existsSync(file)) return toCount(false);
  const reported = count(JSON.parse(readFileSync(file, "utf8")));
  return passed || reported.failed > 0 ? reported : { ...reported, failed: 1 };
}

function runUnit(): Count {
  const file = path.join(reports, "unit.json");
  const passed = run("unit tests", [
    bins.vitest,
    "run",
    "--config",
    ".config/vitest.config.ts",
    "--reporter=default",
    "--reporter=.config/slowest-files.ts",
    "--reporter=json",
    `--outputFile.json=${file}`,
  ]);
  return readCount(file, passed, (json) => {
    const report = vitestReport.parse(json);
    return { passed: report.numPassedTests, failed: report.numFailedTests };
  });
}

function runBrowser(): Count {
  const file = path.join(reports, "e2e.json");
  const passed = run("browser tests", [bins.playwright, "test", "--config", "e2e/playwright.config.ts"], {
    E2E_REPORT: file,
  });
  return readCount(file, passed, (json) => {
    const { stats, suites } = playwrightReport.parse(json);
    printSlowestFiles(suites);
    if (stats.flaky > 0) console.log(`== browser tests: ${stats.flaky} passed only when tried again`);
    return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
  });
}

const counts: Count[] = [
  toCount(run("lint, format", [bins.biome, "check", "."])),
  toCount(run("structure", [bins.tsx, ".config/check-structure.ts"])),
  toCount(run("route types", [bins.next, "typegen"])),
  toCount(run("types", [bins.tsc, "--noEmit"])),
  runUnit(),
];
const built = run("production build", [bins.next, "build"], { SWARMLOOM_BUILD_TYPES: "0" });
counts.push(toCount(built), built ? runBrowser() : toCount(false));
rmSync(reports, { recursive: true, force: true });

const total = counts.reduce((a, b) => ({ passed: a.passed + b.passed, failed: a.failed + b.failed }));
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
