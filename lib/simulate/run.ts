/**
 * `npm run simulate -- [SEEDS]`: simulates so many seeds (1,000 unless told otherwise) in as many processes as there are
 * processors, from `--from` on. `npm run simulate -- --seed N`: one seed, with everything that happens; `--after K` simulates the K seeds
 * before it first, of which nothing is printed. `--part` simulates
 * only the shared document, the runs or the schedules; `--seconds` begins no further seed after that time, and fewer than
 * `--least` are a failure; `--first` ends with the first seed that breaks a rule; `--without` takes a mend out of the code (see
 * `program/mends.ts`). Exit code 1 when a rule was broken.
 */
import "./time/install-clocks";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { isPart, type Part, parts } from "./parts";
import { isMend, type Mend, mends } from "./program/mends";
import type { Outcome } from "./simulate-seed";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    from: { type: "string", default: "1" },
    /** For the processes that this one starts: they simulate every so many-th seed. */
    every: { type: "string", default: "0" },
    part: { type: "string" },
    seconds: { type: "string", default: "100000" },
    least: { type: "string", default: "0" },
    first: { type: "boolean", default: false },
    without: { type: "string" },
    after: { type: "string", default: "0" },
  },
});

function readNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Error(`expected a whole number, found "${text}"`);
}

function readPart(text: string | undefined): Part | null {
  if (text === undefined) return null;
  if (isPart(text)) return text;
  throw new Error(`expected ${parts.join(", ")} after --part, found "${text}"`);
}

function readMend(text: string | undefined): Mend | null {
  if (text === undefined) return null;
  if (isMend(text)) return text;
  throw new Error(`expected ${Object.keys(mends).join(", ")} after --without, found "${text}"`);
}

const without = readMend(values.without);
const part = readPart(values.part);
const count = readNumber(positionals[0] ?? "1000");
const first = readNumber(values.seed ?? values.from);
const every = readNumber(values.every);
const seconds = readNumber(values.seconds);

/** Simulates seeds in this process. `findTrace`: what receives what happens in a seed, in words. */
async function simulate(
  seeds: Iterable<number>,
  findTrace: (seed: number) => ((line: string) => void) | null,
  onOutcome: (outcome: Outcome) => void,
) {
  const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-simulation-"));
  process.env.SWARMLOOM_DATA = folder;
  process.env.DATABASE_URL = `file:${path.join(folder, "none.db")}`;
  const [{ openLaboratory }, { prepareRows, simulateSeed }] = await Promise.all([
    import("./world/laboratory"),
    import("./simulate-seed"),
  ]);
  const laboratory = await openLaboratory(without);
  const flowIds = await prepareRows(laboratory);
  for (const seed of seeds)
    onOutcome(await simulateSeed(laboratory, flowIds, { seed, part, onTrace: findTrace(seed) }));
  rmSync(folder, { recursive: true });
}

/** Until the process that started this one has seen enough. */
function* listSeeds(step: number): Generator<number> {
  const end = performance.now() + seconds * 1_000;
  for (let seed = first; seed < first + count && performance.now() < end && process.connected; seed += step) yield seed;
}

/** What a process that simulates the same is called with. */
const listChoices = (): string[] => [
  ...(part === null ? [] : ["--part", part]),
  ...(without === null ? [] : ["--without", without]),
];

const describe = ({ seed, violation }: Outcome): string =>
  `seed ${seed}: ${violation}\n  npm run simulate -- --seed ${seed}${listChoices()
    .map((choice) => ` ${choice}`)
    .join("")}`;

const outcomeSchema = z.object({
  seed: z.number(),
  violation: z.string().nullable(),
  events: z.number(),
  simulatedMs: z.number(),
});

/** Simulates all seeds in several processes. Returns whether all rules hold, in as many seeds as are expected. */
async function simulateAll(): Promise<boolean> {
  const [started, processes] = [performance.now(), Math.min(os.availableParallelism(), count)];
  let violations = 0;
  const total = { seeds: 0, events: 0, simulatedMs: 0 };
  const children: ChildProcess[] = [];
  const take = (message: unknown): void => {
    const outcome = outcomeSchema.parse(message);
    total.seeds++;
    total.events += outcome.events;
    total.simulatedMs += outcome.simulatedMs;
    if (outcome.violation !== null) {
      violations++;
      console.error(describe(outcome));
      if (values.first) for (const child of children) if (child.connected) child.disconnect();
    }
    if (total.seeds % 100 === 0) console.log(`${total.seeds} seeds`);
  };
  const exits = Array.from({ length: processes }, async (_, index) => {
    const args = [
      String(count - index),
      "--from",
      String(first + index),
      "--every",
      String(processes),
      "--seconds",
      values.seconds,
    ];
    const child = fork(import.meta.filename, [...args, ...listChoices()]);
    children.push(child);
    child.on("message", take);
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`a process that simulates ended with code ${code}`);
  });
  await Promise.all(exits);
  const duration = ((performance.now() - started) / 1000).toFixed(0);
  const hours = (total.simulatedMs / 3_600_000).toFixed(1);
  console.log(
    `${total.seeds} seeds, ${total.events} events in ${hours} simulated hours, ${violations} broken rules, ${duration} s`,
  );
  const least = readNumber(values.least);
  if (total.seeds < least) console.error(`expected at least ${least} seeds in ${seconds} s`);
  return violations === 0 && total.seeds >= least;
}

if (values.seed !== undefined) {
  const after = readNumber(values.after);
  const seeds = Array.from({ length: after + 1 }, (_, index) => first - after + index);
  const findTrace = (seed: number) => (seed === first ? console.log : null);
  await simulate(seeds, findTrace, (outcome) => {
    if (outcome.seed !== first) return;
    if (outcome.violation !== null) process.exitCode = 1;
    console.log(outcome.violation === null ? `seed ${first}: all rules hold` : describe(outcome));
  });
} else if (every > 0) {
  await simulate(
    listSeeds(every),
    () => null,
    (outcome) => {
      if (process.connected) process.send?.(outcome);
    },
  );
  if (process.connected) process.disconnect();
} else if (!(await simulateAll())) process.exitCode = 1;
