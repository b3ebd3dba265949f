import type { LiveServer } from "../live-server";
import { actions, actionsWithAnew } from "./actions";
import { sleep, type TabFaults } from "./browser";
import { comeToRest } from "./come-to-rest";
import { openFlow } from "./open-flow";
import { listCopies } from "./tab-storage";
import { Trial, type TrialLog } from "./trial";

const steps = 50;

export interface SeedOptions {
  seed: number;
  /** The shared document is replaced by a new one at times. */
  anew: boolean;
}

export interface SeedResult {
  seed: number;
  isBad: boolean;
  questions: number;
  /** What is printed. */
  report: string;
}

function chooseFaults({ has, below }: Trial["choices"]): TabFaults {
  if (has(0.2)) return { reachesLive: false };
  if (has(0.15)) return { isOnline: false };
  return has(0.2) ? { dieAfter: below(9) } : {};
}

async function act(trial: Trial, anew: boolean): Promise<void> {
  const { choices, writers } = trial;
  for (const writer of writers.slice(0, 1 + choices.below(3))) await openFlow(trial, writer);
  for (let step = 0; step < steps; step++) {
    const writer = choices.pick(writers);
    const { visit } = writer;
    if (visit) {
      await choices.pickWeighted(anew ? actionsWithAnew : actions).act(trial, { writer, visit });
      if (choices.has(0.6)) await sleep(choices.below(60));
    } else if (choices.has(0.5)) await openFlow(trial, writer, chooseFaults(choices));
  }
}

/** Notes what is wrong with the words, where no user was asked about them. */
async function checkWords({ log, words, visits, readTexts }: Trial): Promise<void> {
  if (log.isUndecided) return;
  const pages = [["the server", await readTexts()], ...visits.map(({ tab, getText }) => [tab.name, getText()])];
  for (const [name, text = ""] of pages) for (const fault of words.check(text)) log.fail(`${name}: ${fault}`);
}

const maxListedProblems = 6;

function describe(seed: number, { log, words }: { log: TrialLog; words: number }): string {
  const { problems, questions, isUndecided, events } = log;
  const verdict = problems.length === 0 ? "ok" : problems.slice(0, maxListedProblems).join(" | ");
  const asked = questions.length === 0 ? "" : ` ASKED ${questions.join(" | ")}`;
  const unchecked = isUndecided ? ", not checked" : "";
  const header = `seed ${seed}: ${verdict} (${log.ms} ms, ${words} words${unchecked})${asked}`;
  return problems.length === 0 ? header : [header, ...events].join("\n");
}

/** Lets three writers visit a new flow as the seed says, and checks what they find in the end. */
export async function runSeed(server: LiveServer, { seed, anew }: SeedOptions): Promise<SeedResult> {
  const trial = await Trial.begin(server, seed);
  const { log } = trial;
  try {
    await act(trial, anew);
    log.note("--- the faults are over");
    const missing = await comeToRest(trial);
    trial.isOver = true;
    if (missing !== null) log.fail(`does not come to rest: ${missing}`);
    await checkWords(trial);
    for (const browser of trial.browsers)
      for (const copy of await listCopies(browser)) log.note(`a copy is left: ${copy}`);
    log.note(await trial.readTexts());
  } catch (error) {
    log.fail(`throws ${error instanceof Error ? error.stack : error}`);
  }
  trial.end();
  const isBad = log.problems.length > 0;
  return { seed, isBad, questions: log.questions.length, report: describe(seed, { log, words: trial.words.size }) };
}
