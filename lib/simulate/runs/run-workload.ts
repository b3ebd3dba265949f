import { maxResumesWithoutProgress } from "@/lib/core/run/journal/journal";
import type { Random } from "../time/random";
import { Violation, type Workload, type World } from "../world/world";
import { type OutsideCall, toolName, toRunPorts } from "./outside";
import { readError, StoredRuns } from "./stored-runs";

const agent = (name: string, tools = ""): string =>
  `  ${name}: { model: "demo:writer", instructions: "You are ${name}.", tools: [${tools}] }\n`;

/** Flows of which runs are started, with the agent whose answer is the output. */
const runFlows = [
  {
    lastAgent: "b",
    source: `name: Chain\nagents:\n${agent("a", toolName)}${agent("b")}swarm: { type: workflow, flow: a >> b }\n`,
  },
  {
    lastAgent: "c",
    source: `name: Fork\nagents:\n${agent("a")}${agent("b", toolName)}${agent("c")}swarm: { type: workflow, flow: (a | b) >> c }\n`,
  },
];
export const runSources = runFlows.map(({ source }) => source);

/** People start runs at any server, and cancel some; several servers drive them. */
export class RunWorkload implements Workload {
  readonly services = { drivesRuns: true };
  readonly settleMs = 90_000;
  readonly #stored: StoredRuns;
  /** Runs whose start was acknowledged, with the number of their flow. */
  readonly #acknowledged = new Map<string, number>();
  readonly #cancelled = new Set<string>();
  #isSettling = false;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    private readonly flowIds: readonly string[],
  ) {
    this.#stored = new StoredRuns(world.store.database.connection);
    world.runPortsOf = (process) => toRunPorts(world, process, (call) => this.#onCall(call));
  }

  start(): void {
    const count = 3 + this.random.index(6);
    for (let number = 0; number < count; number++)
      this.world.timeline.schedule(this.random.between(0, 6_000), null, () => this.#startRun());
  }

  #startRun(): void {
    const process = this.random.pick(this.world.livingProcesses);
    const flow = this.random.index(this.flowIds.length);
    const flowId = this.flowIds[flow];
    if (!process || flowId === undefined) return;
    this.world.timeline.schedule(1, process, () => {
      process.program
        ?.startRun(flowId, "go")
        .then(({ id }) => this.#onStarted(id, flow))
        .catch((error: unknown) => this.world.trace(process.name, () => `refuses a run: ${error}`));
    });
  }

  #onStarted(id: string, flow: number): void {
    this.world.trace("", () => `run ${id} is acknowledged`);
    this.#acknowledged.set(id, flow);
    this.#stored.watch(id);
    if (!this.random.chance(0.15)) return;
    this.world.timeline.schedule(this.random.between(0, 3_000), null, () => this.#cancelRun(id));
  }

  #cancelRun(id: string): void {
    const process = this.random.pick(this.world.livingProcesses);
    if (!process || this.#isSettling) return;
    this.world.trace(process.name, () => `cancels ${id}`);
    this.#cancelled.add(id);
    this.world.timeline.schedule(1, process, () => void process.program?.cancelRun(id).catch(() => undefined));
  }

  /** In the moment in which a process calls a model or a tool. */
  #onCall({ process, runId, path }: OutsideCall): void {
    this.world.trace(process.name, () => `calls ${path} of ${runId}`);
    this.#stored.watch(runId);
    this.#stored.follow();
    const { run, head } = this.#stored.get(runId);
    if (run.finishedPaths.has(path)) this.world.fail(`run ${runId}: ${path} had ended, and is called again`);
    if (head.owner !== process.program?.owner)
      this.world.fail(`run ${runId}: ${process.name} calls ${path}, and the run is not its any more`);
  }

  settle(): void {
    this.#isSettling = true;
  }

  isQuiet(): boolean {
    return this.#stored.ids.every((id) => this.#stored.get(id).run.hasEnded);
  }

  check(): void {
    this.#stored.follow();
  }

  checkEnd(): void {
    this.#stored.follow();
    for (const id of this.#stored.ids) this.#assertEnd(id);
  }

  #assertEnd(id: string): void {
    const { run, head } = this.#stored.get(id);
    if (!run.hasEnded) throw new Violation(`run ${id} has not ended although all is quiet: ${head.status}`);
    const { code, message } = readError(head.error);
    const isExpected =
      head.status === "SUCCESS" ||
      (head.status === "CANCELLED" && this.#cancelled.has(id)) ||
      (code === "interrupted" && run.mostResumesInARow >= maxResumesWithoutProgress);
    if (!isExpected) throw new Violation(`run ${id} ended as ${head.status} for no reason: ${code}: ${message}`);
    const flow = this.#acknowledged.get(id);
    const output = `done by ${runFlows[flow ?? 0]?.lastAgent}`;
    if (head.status === "SUCCESS" && flow !== undefined && !head.output.includes(output))
      throw new Violation(`run ${id}: expected "${output}", found ${head.output}`);
  }
}
