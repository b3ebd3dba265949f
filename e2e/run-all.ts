/**
 * `npm test`: everything that CI checks, in order, each check even when an earlier one failed (but none of the running app
 * without a build). Unit and browser tests list their ten slowest files. Ends with the names of what failed or passed only when
 * tried again, why tests failed, and `N passed, N failed` alone on a line; exit code 1 when anything failed.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { installPostgres } from "../.config/find-postgres.mjs";
import "../.config/no-telemetry.mjs";

interface Outcome {
  passed: number;
  /** The names of failed checks and tests, of tests with the reason. */
  failed: readonly string[];
  /** Tests that passed only when tried again. */
  flaky?: readonly string[];
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

function check(title: string, command: readonly string[], env?: Record<string, string>): Outcome {
  return run(title, command, env) ? { passed: 1, failed: [] } : { passed: 0, failed: [title] };
}

/** Reasons of failures are cut to so many characters. */
const maxReason = 300;

/** A name with the beginning of the message of its error, on one line. */
const withReason = (name: string, message = ""): string => {
  const reason = stripVTControlCharacters(message).replace(/\s+/g, " ").trim().slice(0, maxReason);
  return reason === "" ? name : `${name}: ${reason}`;
};

/** What tests left running failed in: Vitest counts it with no test. */
const unhandledErrors = z.array(z.object({ file: z.string(), message: z.string() }));

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
const suiteSchema = z.object({
  title: z.string(),
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(
            z.object({ duration: z.number(), error: z.object({ message: z.string().optional() }).optional() }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(suiteSchema).optional();
  },
});
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), flaky: z.number() }),
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

/** The specs of which a test has this status. */
function listSpecs({ specs, suites = [] }: z.infer<typeof suiteSchema>, status: "unexpected" | "flaky"): string[] {
  const matching = specs.filter(({ tests }) => tests.some((test) => test.status === status));
  return [
    ...matching.map(({ file, title, tests }) => {
      const results = tests.flatMap((test) => test.results);
      return withReason(`${file}: ${title}`, results.find(({ error }) => error)?.error?.message);
    }),
    ...suites.flatMap((suite) => listSpecs(suite, status)),
  ];
}

/** What a runner reports; a runner that failed without a failed test counts as one failure. */
function readOutcome(title: string, file: string, passed: boolean, read: (json: unknown) => Outcome): Outcome {
  if (!existsSync(file)) return { passed: 0, failed: [title] };
  const reported = read(JSON.parse(readFileSync(file, "utf8")));
  return passed || reported.failed.length > 0 ? reported : { ...reported, failed: [title] };
}

function runUnit(): Outcome {
  const title = "unit tests";
  const file = path.join(reports, "unit.json");
  const errorsFile = path.join(reports, "unit-errors.json");
  const passed = run(
    title,
    [
      bins.vitest,
      "run",
      "--config",
      ".config/vitest.config.ts",
      "--reporter=default",
      "--reporter=.config/unit-report.ts",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ],
    { UNHANDLED_ERRORS: errorsFile },
  );
  return readOutcome(title, file, passed, (json) => {
    const { numPassedTests, testResults } = vitestReport.parse(json);
    const unhandled = existsSync(errorsFile) ? unhandledErrors.parse(JSON.parse(readFileSync(errorsFile, "utf8"))) : [];
    const failed = testResults.flatMap(({ name, status, assertionResults }) => {
      const tests = assertionResults
        .filter((test) => test.status === "failed")
        .map(({ fullName, failureMessages }) => withReason(`: ${fullName}`, failureMessages?.[0]));
      return (status === "failed" && tests.length === 0 ? [""] : tests).map((test) => path.relative(root, name) + test);
    });
    const outside = unhandled.map((error) => withReason(`an error beside the tests of ${error.file}`, error.message));
    return { passed: numPassedTests, failed: [...failed, ...outside] };
  });
}

function runBrowser(): Outcome {
  const title = "browser tests";
  const file = path.join(reports, "e2e.json");
  const passed = run(title, [bins.playwright, "test", "--config", "e2e/playwright.config.ts"], {
    E2E_REPORT: file,
  });
  return readOutcome(title, file, passed, (json) => {
    const { stats, suites } = playwrightReport.parse(json);
    printSlowestFiles(suites);
    return {
      passed: stats.expected + stats.flaky,
      failed: suites.flatMap((suite) => listSpecs(suite, "unexpected")),
      flaky: suites.flatMap((suite) => listSpecs(suite, "flaky")),
    };
  });
}

/** Starts a check whose output is printed at its end: others run meanwhile. Returns what waits for it. */
function startCheck(title: string, command: readonly string[]): () => Promise<Outcome> {
  const file = path.join(reports, "check.log");
  const output = openSync(file, "w");
  const started = Date.now();
  // Never on a database that someone uses.
  const env = { ...process.env, DATABASE_URL: "" };
  const child = spawn(process.execPath, command, { cwd: root, env, stdio: ["ignore", output, output] });
  const exited = once(child, "exit");
  return async () => {
    const [code] = await exited;
    closeSync(output);
    const passed = code === 0;
    const printed = readFileSync(file, "utf8").trim();
    console.log(`\n== ${title}\n${printed}`);
    console.log(`== ${title}: ${passed ? "passed" : "FAILED"} in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return passed ? { passed: 1, failed: [] } : { passed: 0, failed: [withReason(title, lastLines(printed))] };
  };
}

const lastLines = (text: string): string => text.split("\n").slice(-3).join(" ");

installPostgres();
const outcomes = [
  check("lint, format", [bins.biome, "check", "."]),
  check("structure", [bins.tsx, ".config/check-structure.ts"]),
  check("route types", [bins.next, "typegen"]),
  check("types", [bins.tsc, "--noEmit"]),
];
outcomes.push(
  check("1,000 simulated seeds", [
    "--conditions=react-server",
    "--import",
    "tsx",
    "lib/simulate/run.ts",
    "1000",
    // They take one minute on two processors; a machine that does other work may take five.
    "--seconds",
    "300",
    "--least",
    "1000",
  ]),
);
const build = check("production build", [bins.next, "build"], { SWARMLOOM_BUILD_TYPES: "0" });
outcomes.push(build);
// Beside the unit tests: none of them is timed, as those of the browser are.
const soak = build.passed
  ? startCheck("four minutes of mixed load", [
      "--conditions=react-server",
      "--import",
      "tsx",
      "lib/bench/soak/run.ts",
      "4",
    ])
  : null;
outcomes.push(runUnit());
if (soak) outcomes.push(await soak(), runBrowser());
else outcomes.push({ passed: 0, failed: ["mixed load and browser tests: there is no build"] });
rmSync(reports, { recursive: true, force: true });

const failed = outcomes.flatMap((outcome) => outcome.failed);
for (const name of outcomes.flatMap(({ flaky = [] }) => flaky)) console.log(`Passed only when tried again: ${name}`);
for (const name of failed) console.log(`FAILED: ${name}`);
console.log(`\n${outcomes.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;
