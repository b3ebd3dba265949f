import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "../server/api-client";
import { measure } from "../server/measure";

/** A flow of 12 agents with tools, branches side by side and an agent that is asked over HTTP. */
const workSource = `name: Work
agents:
${Array.from({ length: 10 }, (_, index) => `  a${index}: { model: "demo:writer" }`).join("\n")}
  counter: { model: "demo:writer", tools: [calculator] }
  asked: { model: "compatible:instant" }
swarm: { flow: a0 >> (a1 | a2 | a3) >> asked >> counter >> a4 >> (a5 | a6 >> a7) >> a8 >> a9 }
`;
const streamSource = `name: Streams\nagents: { teller: { model: "compatible:stream" } }\nswarm: { flow: teller }\n`;
const slowSource = `name: Slow\nagents: { sleeper: { model: "compatible:slow" } }\nswarm: { flow: sleeper }\n`;

/** Runs that readers choose from. */
const remembered = 50;

/**
 * What users do with a server all day, at a steady rate: they start runs and follow them, leave streams early, come back
 * to them, read lists and pages, cancel and fork. Every answer is checked.
 */
export class MixedLoad {
  /** How often each thing was done. */
  readonly counts = { runs: 0, streams: 0, reads: 0, cancels: 0, forks: 0 };
  /** Milliseconds of the reads since they were taken last. */
  #readTimes: number[] = [];
  #ended: string[] = [];
  #isStopping = false;
  #loops: Promise<void>[] = [];
  #failure: unknown;

  constructor(private readonly api: ApiClient) {}

  /** Throws the first error that something met. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  takeReadTimes(): number[] {
    const times = this.#readTimes;
    this.#readTimes = [];
    return times;
  }

  async start(): Promise<void> {
    const [work = "", stream = "", slow = ""] = [
      await this.api.createFlow(workSource),
      await this.api.createFlow(streamSource),
      await this.api.createFlow(slowSource),
    ];
    await this.#work(work);
    this.#loops = [
      this.#repeat(300, () => this.#work(work)),
      this.#repeat(300, () => this.#work(work)),
      this.#repeat(500, () => this.#stream(stream)),
      this.#repeat(100, (round) => this.#read(round, work)),
      this.#repeat(700, () => this.#cancel(slow)),
      this.#repeat(900, () => this.#fork()),
    ];
  }

  /** Resolves when everything under way has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#loops);
  }

  async #repeat(pauseMs: number, work: (round: number) => Promise<void>): Promise<void> {
    for (let round = 0; !this.#isStopping && this.#failure === undefined; round++) {
      await work(round).catch((error: unknown) => {
        this.#failure ??= error;
      });
      await sleep(pauseMs);
    }
  }

  async #expectEnd(run: string, status: string): Promise<void> {
    const last = await this.api.waitForEnd(run);
    if (last?.type !== "run.finished" || last.status !== status)
      throw new Error(`run ${run} was expected to end as ${status}, and ended with ${JSON.stringify(last)}`);
  }

  async #work(flow: string): Promise<void> {
    const run = await this.api.startRun(flow, `What do weavers need? ${this.counts.runs}`);
    await this.#expectEnd(run, "SUCCESS");
    this.#ended = [...this.#ended.slice(1 - remembered), run];
    this.counts.runs++;
  }

  /** One reader follows to the end, one leaves early, one comes back after that. */
  async #stream(flow: string): Promise<void> {
    const run = await this.api.startRun(flow);
    const whole = this.#expectEnd(run, "SUCCESS");
    let seq = 0;
    for await (const event of this.api.follow(run)) {
      seq = event.seq;
      if (seq > 50) break;
    }
    let next = seq;
    for await (const event of this.api.follow(run, seq)) {
      if (event.seq !== next + 1) throw new Error(`event ${next + 1} of run ${run} was expected, not ${event.seq}`);
      next = event.seq;
    }
    await whole;
    this.counts.streams++;
  }

  async #read(round: number, flow: string): Promise<void> {
    const run = this.#ended[round % this.#ended.length] ?? "";
    const paths = [
      "/api/v1/runs",
      `/api/v1/runs?flow=${flow}&status=SUCCESS`,
      "/api/v1/runs?q=weavers&since=1h",
      `/api/v1/runs/${run}/structure`,
      `/api/v1/runs/${run}`,
      `/api/v1/runs/${run}/turns?limit=50`,
      "/api/v1/flows",
      "/runs",
      `/runs/${run}`,
      `/flows/${flow}`,
      "/api/v1/runs/summary?since=1h",
      "/api/metrics",
    ];
    const time = await measure(() => this.api.read(paths[round % paths.length] ?? ""));
    this.#readTimes.push(time);
    this.counts.reads++;
  }

  async #cancel(flow: string): Promise<void> {
    const run = await this.api.startRun(flow);
    for await (const event of this.api.follow(run)) if (event.type === "request.sent") break;
    await this.api.cancelRun(run);
    await this.#expectEnd(run, "CANCELLED");
    this.counts.cancels++;
  }

  async #fork(): Promise<void> {
    const parent = this.#ended.at(-1) ?? "";
    const step = (await this.api.readSteps(parent)).findLast(({ kind }) => kind === "agent");
    if (!step) throw new Error(`run ${parent} has no agent`);
    await this.#expectEnd(await this.api.forkRun(parent, step.id, "Something else."), "SUCCESS");
    this.counts.forks++;
  }
}
