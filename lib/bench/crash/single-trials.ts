import { setTimeout as sleep } from "node:timers/promises";
import { laneAgents } from "./crash-flows";
import type { CrashWorld } from "./crash-world";
import type { ExecutorChild } from "./executor-child";
import type { WatchedRun } from "./watched-run";

/** Observes the run until the condition holds. Throws after 30 s. */
async function observeUntil(run: WatchedRun, isReached: () => boolean): Promise<void> {
  const end = performance.now() + 30_000;
  for (;;) {
    await run.observe();
    if (isReached()) return;
    if (performance.now() > end) throw new Error(`run ${run.id} (${run.shape}) did not get that far`);
    await sleep(10);
  }
}

const listFaults = async (run: WatchedRun): Promise<string[]> => [
  ...(await run.listEventFaults()),
  ...(await run.listEndFaults()),
  ...run.listRepeatedCalls(),
];

/** Kills an executor while four parallel branches are in the middle of their eight steps; how many were resumed there. */
export async function resumeInsideLanes(
  world: CrashWorld,
): Promise<{ count: number; resumed: number; faults: string[] }> {
  const run = await world.insertRun("lanes");
  const countSteps = (names: readonly string[]): number => {
    const paths = run.finishedCallPaths;
    return names.filter((name) => paths.some((path) => path.startsWith(`${name}#`))).length;
  };
  const first = await world.startExecutor();
  await observeUntil(run, () => laneAgents.every((names) => countSteps(names) >= 2));
  await first.kill();
  await run.observe();
  const stepsBefore = laneAgents.map(countSteps);
  const second = await world.startExecutor();
  await observeUntil(run, () => run.hasEnded);
  await second.kill();
  const repeated = run.listRepeatedCalls();
  const isResumed = laneAgents.filter(
    (names, lane) =>
      (stepsBefore[lane] ?? 0) < names.length &&
      countSteps(names) === names.length &&
      !names.some((name) => repeated.some((call) => call.includes(`${name}#`))),
  );
  return { count: laneAgents.length, resumed: isResumed.length, faults: await listFaults(run) };
}

/** Freezes an executor in the middle of a call until another one has ended its run, and continues it then. */
export async function freezeExecutor(world: CrashWorld): Promise<string[]> {
  const run = await world.insertRun("held");
  const frozen = await world.startExecutor();
  await observeUntil(run, () => isAnswering(run, "b#llm-1"));
  await freezeBetweenWrites(world, frozen, run);
  const second = await world.startExecutor();
  await observeUntil(run, () => run.hasEnded);
  const rowsBefore = await readRows(world, run);
  const faults = await thaw(world, frozen);
  const rowsAfter = await readRows(world, run);
  await frozen.kill();
  await second.kill();
  if (JSON.stringify(rowsBefore) !== JSON.stringify(rowsAfter))
    faults.push("an executor that was frozen changed the run");
  return [...faults, ...(await listFaults(run))];
}

/** Freezes it where it holds no lock of the database: while it holds one, no other process can write or even open. */
async function freezeBetweenWrites({ db }: CrashWorld, executor: ExecutorChild, run: WatchedRun): Promise<void> {
  for (;;) {
    executor.freeze();
    const write = db.run.updateMany({ where: { id: run.id }, data: { flowName: run.shape } }).then(() => "written");
    if ((await Promise.race([write, sleep(500)])) === "written") return;
    executor.thaw();
    await write;
  }
}

/** Whether text of the call is stored. */
function isAnswering({ events }: WatchedRun, path: string): boolean {
  const call = events.find((event) => event.type === "node.started" && event.path === path);
  return events.some(
    (event) => event.type === "text.appended" && call?.type === "node.started" && event.id === call.id,
  );
}

async function readRows({ db }: CrashWorld, { id }: WatchedRun) {
  const where = { runId: id };
  return {
    run: await db.run.findUniqueOrThrow({ where: { id } }),
    nodes: await db.runNode.findMany({ where, orderBy: { nodeId: "asc" } }),
    payloads: await db.runPayload.findMany({ where }),
    events: await db.runEvent.count({ where }),
  };
}

/** Continues the frozen executor; what is wrong if its call is not aborted within 2 s. */
async function thaw({ server }: CrashWorld, frozen: ExecutorChild): Promise<string[]> {
  const countAborted = (): number => [...server.modelCalls.values()].reduce((sum, { aborted }) => sum + aborted, 0);
  const abortedBefore = countAborted();
  frozen.thaw();
  const end = performance.now() + 2000;
  while (countAborted() === abortedBefore && performance.now() < end) await sleep(10);
  const faults =
    countAborted() === abortedBefore ? ["the call of an executor that lost its lease was not aborted"] : [];
  // Time for what it had not written when it was frozen.
  await sleep(500);
  if (!frozen.isAlive) faults.push("an executor that lost its lease ended its process");
  return faults;
}
