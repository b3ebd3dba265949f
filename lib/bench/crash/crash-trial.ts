import { setTimeout as sleep } from "node:timers/promises";
import { crashShapes } from "./crash-flows";
import type { CrashWorld } from "./crash-world";
import type { WatchedRun } from "./watched-run";

interface CrashOptions {
  kills: number;
  /** Of the moments of the kills, the order of the flows and the delays of approvals. */
  seed: number;
}

/** What a trial found. */
export interface CrashReport {
  kills: number;
  runs: number;
  /** Requests that had not ended when their process was killed, and were made again: allowed. */
  repeatedInFlight: number;
  /** What must be empty. */
  repeatedFinished: string[];
  eventFaults: string[];
  endFaults: string[];
  seconds: number;
  /** From a kill to the first event of the first run that was resumed; the median, in milliseconds. */
  medianResumeMs: number;
  finishedCalls: number;
}

/** Numbers in [0, 1) by a seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Runs at the same time. */
const concurrentRuns = 6;
/** A run that was resumed this often without a finished step ends as interrupted the next time but one. */
const mostIdleResumes = 2;
const longestLife = 500;
const patienceMs = 20_000;

/** Kills executor processes at random moments of mixed runs until all have ended, and checks what they left. */
export class CrashTrial {
  readonly #random: () => number;
  readonly #runs: WatchedRun[] = [];
  readonly #resumeMs: number[] = [];
  /** After how many kills a run that waits for a person is answered. */
  readonly #answerAt = new Map<string, number>();
  #kill = 0;
  #killedAt = 0;

  constructor(
    private readonly world: CrashWorld,
    private readonly options: CrashOptions,
  ) {
    this.#random = createRandom(options.seed);
  }

  async perform(onKill: (kill: number) => void = () => {}): Promise<CrashReport> {
    const start = performance.now();
    for (this.#kill = 1; this.#kill <= this.options.kills; this.#kill++) {
      await this.#addRuns();
      const child = await this.world.startExecutor();
      const isEarly = this.#random() < 0.1;
      if (!isEarly) await Promise.race([child.firstWrite(), sleep(3000)]);
      await this.#approve();
      await sleep(this.#random() * longestLife);
      if (!isEarly) await this.#awaitProgress();
      await child.kill();
      await this.#observe();
      this.#killedAt = Date.now();
      onKill(this.#kill);
    }
    await this.#finish();
    return this.#report((performance.now() - start) / 1000);
  }

  /** While there are kills to come there are runs under way, of all shapes in turn. */
  async #addRuns(): Promise<void> {
    while (this.#runs.filter(({ hasEnded }) => !hasEnded).length < concurrentRuns) {
      const run = await this.world.insertRun(crashShapes[this.#runs.length % crashShapes.length] ?? "");
      this.#runs.push(run);
      this.#answerAt.set(run.id, this.#kill + Math.floor(this.#random() * 7));
    }
  }

  get #openRuns(): WatchedRun[] {
    return this.#runs.filter(({ hasEnded }) => !hasEnded);
  }

  #approve(): Promise<void> {
    const due = this.#openRuns.filter(({ id }) => this.#kill >= (this.#answerAt.get(id) ?? 0));
    return this.world.approve(due.map(({ id }) => id));
  }

  /** A run whose process ends three times at one step is taken for the reason of it: such a run gets time for a step. */
  async #awaitProgress(): Promise<void> {
    const stuck = this.#openRuns.filter(({ resumesWithoutProgress }) => resumesWithoutProgress >= mostIdleResumes);
    const end = performance.now() + patienceMs;
    for (const run of stuck)
      while (!run.hasEnded && run.resumesWithoutProgress >= mostIdleResumes && performance.now() < end) {
        await sleep(20);
        await run.observe();
      }
  }

  async #observe(): Promise<void> {
    for (const run of this.#openRuns) {
      const known = run.events.length;
      await run.observe();
      const resumed = run.events.slice(known).find(({ type }) => type === "run.resumed");
      if (resumed && this.#killedAt > 0) this.#resumeMs.push(resumed.at - this.#killedAt);
    }
  }

  async #finish(): Promise<void> {
    const child = await this.world.startExecutor();
    const end = performance.now() + 60_000;
    while (this.#openRuns.length > 0 && performance.now() < end && child.isAlive) {
      await this.world.approve(this.#openRuns.map(({ id }) => id));
      await sleep(50);
      for (const run of this.#openRuns) await run.observe();
    }
    await child.kill();
  }

  async #report(seconds: number): Promise<CrashReport> {
    const { modelCalls, effects } = this.world.server;
    const counts = [...modelCalls.values(), ...effects.values()];
    const [eventFaults, endFaults]: [string[], string[]] = [[], []];
    for (const run of this.#runs) {
      eventFaults.push(...(await run.listEventFaults()));
      endFaults.push(...(await run.listEndFaults()));
    }
    const repeatedFinished = this.#runs.flatMap((run) => run.listRepeatedCalls());
    return {
      kills: this.options.kills,
      runs: this.#runs.length,
      repeatedInFlight: counts.reduce((sum, { begun }) => sum + begun - 1, 0) - repeatedFinished.length,
      repeatedFinished,
      eventFaults,
      endFaults,
      seconds,
      medianResumeMs: median(this.#resumeMs),
      finishedCalls: this.#runs.reduce((sum, run) => sum + run.finishedCallPaths.length, 0),
    };
  }
}
