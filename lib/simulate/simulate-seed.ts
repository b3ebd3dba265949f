import { DocumentWorkload } from "./document/document-workload";
import type { Part } from "./parts";
import { RunWorkload, runSources } from "./runs/run-workload";
import { ScheduleWorkload } from "./schedules/schedule-workload";
import { activate } from "./time/clocks";
import { Random } from "./time/random";
import type { FaultKind } from "./world/fault-kinds";
import { FaultPlan } from "./world/faults";
import type { Laboratory } from "./world/laboratory";
import { Violation, type Workload, World } from "./world/world";

/** Text that the simulated people and programs change, between the brackets. */
const source = `name: Loom
agents:
  a:
    model: "demo:writer"
    instructions: <ooooooooooooooooooo>
swarm: { type: workflow, flow: a }
`;

export interface Outcome {
  seed: number;
  /** The rule that was broken; null: none. */
  violation: string | null;
  /** Events that happened, and simulated milliseconds. */
  events: number;
  simulatedMs: number;
}

/** The flow that people edit, and those that are run. */
export interface FlowIds {
  edited: string;
  run: readonly string[];
}

/** Stores the rows with which every simulation begins.  */
export async function prepareRows(laboratory: Laboratory): Promise<FlowIds> {
  const world = new World(laboratory, new Random(1), null);
  activate(world);
  try {
    world.startServer(0);
    await runUntil(world, 10);
    const [server] = world.processes;
    const ids: string[] = [];
    await world.timeline.perform(server ?? null, () => {
      void (async () => {
        await server?.program?.storeLocalTeam();
        for (const text of [source, ...runSources]) ids.push((await server?.program?.createFlow(text))?.id ?? "");
      })();
    });
    await runUntil(world, 1_000);
    const [edited, ...run] = ids;
    if (edited === undefined || run.length < runSources.length)
      throw new Error(`expected ${1 + runSources.length} flows to be stored, found ${ids.length}`);
    await endProcesses(world);
    laboratory.database.keepRows();
    return { edited, run };
  } finally {
    activate(null);
  }
}

/** Simulations have some thousand events. */
const maxEvents = 500_000;

async function runUntil(
  world: World,
  end: number,
  after: () => void = () => undefined,
  isOver: () => boolean = () => false,
): Promise<void> {
  if (!Number.isFinite(end))
    throw new Error(`expected the moment at which a part of the simulation ends, found ${end}`);
  while (!isOver() && (await world.timeline.step(end))) {
    if (world.timeline.count > maxEvents)
      throw new Error(`expected at most ${maxEvents} events: something repeats itself`);
    after();
  }
}

/** Ends what is left, so that nothing of it happens in the next simulation. */
async function endProcesses(world: World): Promise<void> {
  for (const [index, process] of world.processes.entries())
    await world.timeline.perform(process, () => world.kill(index));
}

interface SeedOptions {
  seed: number;
  /** Null: it follows from the seed. */
  part: Part | null;
  /** Receives what happens, in words. */
  onTrace: ((line: string) => void) | null;
}

/** Performs the simulation of a seed. The same seed always gives the same events. */
export async function simulateSeed(
  laboratory: Laboratory,
  flowIds: FlowIds,
  { seed, part, onTrace }: SeedOptions,
): Promise<Outcome> {
  const random = new Random(seed);
  const world = new World(laboratory, random, onTrace);
  laboratory.database.reset();
  activate(world);
  let violation: string | null = null;
  try {
    const drawnPart = drawPart(random.next());
    await perform(world, random, createWorkload(part ?? drawnPart, world, random, flowIds));
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    violation = error.message;
    world.trace("", () => `VIOLATION: ${error.message}`);
  } finally {
    await endProcesses(world);
    activate(null);
  }
  return { seed, violation, events: world.timeline.count, simulatedMs: world.timeline.now };
}

/** Most seeds are of runs: what goes wrong there is rarer. */
const drawPart = (drawn: number): Part => (drawn < 0.3 ? "document" : drawn < 0.85 ? "runs" : "schedules");

function createWorkload(part: Part, world: World, random: Random, { edited, run }: FlowIds): Workload {
  if (part === "document") return new DocumentWorkload(world, random, edited);
  if (part === "runs") return new RunWorkload(world, random, run);
  return new ScheduleWorkload(world, random, run[0] ?? "");
}

async function perform(world: World, random: Random, workload: Workload): Promise<void> {
  const { timeline, store } = world;
  const servers = 2 + random.index(2);
  world.services = { ...world.services, ...workload.services };
  const end = workload.durationMs ?? random.between(3_000, 12_000);
  for (let index = 0; index < servers; index++)
    timeline.schedule(random.between(0, Math.min(2_000, end / 2)), null, () => world.startServer(index));
  const choose = (kinds: readonly FaultKind[]): readonly FaultKind[] => workload.chooseFaults?.(kinds) ?? kinds;
  const plan = new FaultPlan(world, random, servers, { end, choose });
  world.trace("", () => `${servers} servers; faults: ${[...plan.kinds].join(", ")}`);
  workload.start();
  let count = 0;
  const after = (): void => {
    if (world.violation) throw world.violation;
    plan.afterEvent();
    if (store.count === count) return;
    count = store.count;
    workload.check();
  };
  await runUntil(world, end, after);
  await runUntil(world, Math.max(end, plan.stop()), after);
  world.trace("", () => "faults are over");
  plan.heal();
  workload.settle();
  // Servers that were killed are started again, and everyone is connected.
  await runUntil(world, timeline.now + 7_000, after);
  for (const process of world.processes) workload.onSettled?.(process);
  await runUntil(world, timeline.now + workload.settleMs, after, () => workload.isQuiet?.() ?? false);
  workload.checkEnd();
}
