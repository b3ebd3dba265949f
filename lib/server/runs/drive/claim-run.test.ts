import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { runWorld } from "../../run-world";
import { startServices } from "../../start";
import { newRow } from "../testing/insert-runs";
import { claimNextRun } from "./claim-run";
import { Executor } from "./executor";

let db: Db;
let flow: { id: string; revision: string };
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  const source = 'name: T\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n';
  flow = await createFlow(localViewer, { source });
});
afterEach(() => db.run.deleteMany());

/** A run that waits, unless `row` has another status. */
async function insert(id: string, row: object = {}): Promise<void> {
  const columns = { flowId: flow.id, revisionId: flow.revision, flowName: "T" };
  await db.run.create({ data: { ...newRow(), ...columns, id, createdAt: new Date(1_000), ...row } });
}

const claim = (teamConcurrency?: number) =>
  claimNextRun(db, { owner: "me", now: 60_000, leaseMs: 10_000, teamConcurrency });

async function claimAll(teamConcurrency?: number): Promise<string[]> {
  const ids: string[] = [];
  for (let next = await claim(teamConcurrency); next; next = await claim(teamConcurrency)) ids.push(next.runId);
  return ids;
}

describe("the run whose turn it is", () => {
  test("is claimed with a lease, and its start is kept where it was handed back", async () => {
    await insert("a", { epoch: 3, priority: 10, startedAt: new Date(5_000) });
    expect(await claim()).toEqual({ runId: "a", owner: "me", epoch: 4, priority: 10 });
    const row = await db.run.findUniqueOrThrow({ where: { id: "a" } });
    expect(row).toMatchObject({ status: "RUNNING", owner: "me", epoch: 4, startedAt: new Date(5_000) });
    expect(row.leaseUntil).toEqual(new Date(70_000));
    expect(await claim()).toBeNull();
    await insert("b");
    await claim();
    expect((await db.run.findUniqueOrThrow({ where: { id: "b" } })).startedAt).toEqual(new Date(60_000));
  });

  test("of one team: the more urgent one, then the older one", async () => {
    await insert("background", { priority: 10 });
    await insert("second", { createdAt: new Date(3_000) });
    await insert("first", { createdAt: new Date(2_000) });
    expect(await claimAll()).toEqual(["first", "second", "background"]);
  });

  test("is one of the team with the fewest runs under way, however many another has waiting", async () => {
    for (let number = 10; number < 60; number++) await insert(`many${number}`, { teamId: "large" });
    for (const number of [1, 2]) await insert(`few${number}`, { teamId: "small", createdAt: new Date(9_000) });
    for (const number of [1, 2]) await insert(`busy${number}`, { teamId: "large", status: "RUNNING" });
    const first = (await claimAll()).slice(0, 5);
    expect(first).toEqual(["few1", "few2", "many10", "many11", "many12"]);
  });

  test("runs that wait for a person or are paused count for nothing", async () => {
    await insert("asks", { teamId: "a", status: "WAITING" });
    await insert("paused", { teamId: "a", status: "PAUSED" });
    await insert("one", { teamId: "a" });
    await insert("other", { teamId: "b", createdAt: new Date(2_000) });
    expect(await claimAll(1)).toEqual(["one", "other"]);
  });
});

describe("the limit for a team", () => {
  test("is the lower one of what the server allows and what the team has set for itself", async () => {
    await db.teamSetting.createMany({
      data: [
        { teamId: "a", maxConcurrentRuns: 1 },
        { teamId: "b", maxConcurrentRuns: 9 },
      ],
    });
    for (const team of ["a", "b"]) for (const number of [1, 2, 3]) await insert(`${team}${number}`, { teamId: team });
    expect(await claimAll(2)).toEqual(["a1", "b1", "b2"]);
    expect(await claimAll()).toEqual(["b3"]);
    await db.teamSetting.deleteMany();
    expect(await claimAll()).toEqual(["a2", "a3"]);
  });

  test("leaves its runs waiting until one of them ends, and the runs of others alone", async () => {
    for (const id of ["a1", "a2", "a3"]) await insert(id, { teamId: "a" });
    await insert("b1", { teamId: "b", createdAt: new Date(2_000) });
    expect(await claimAll(2)).toEqual(["a1", "b1", "a2"]);
    await db.run.update({ where: { id: "a1" }, data: { status: "SUCCESS" } });
    expect(await claimAll(2)).toEqual(["a3"]);
  });

  test("holds however many claim at once, and none is claimed twice", async () => {
    for (let number = 0; number < 30; number++) await insert(`r${number}`, { teamId: `t${number % 3}` });
    const claimed = await Promise.all(Array.from({ length: 40 }, () => claim(4)));
    const ids = claimed.flatMap((run) => run?.runId ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const loads = await db.run.groupBy({ by: ["teamId"], where: { status: "RUNNING" }, _count: true });
    expect(loads.map(({ _count }) => _count)).toEqual([4, 4, 4]);
  });
});

test("a turn that is asked for while an earlier claim finds nothing waits for the run that came meanwhile", async () => {
  let endClaim = (): void => {};
  const isHeld = new Promise<void>((resolve) => {
    endClaim = resolve;
  });
  let onClaim = (): void => {};
  const isAsked = new Promise<void>((resolve) => {
    onClaim = resolve;
  });
  const held = db.$extends({
    query: {
      $queryRaw: async ({ args, query }) => {
        const rows = await query(args);
        onClaim();
        await isHeld;
        return rows;
      },
    },
  });
  const executor = new Executor(Object.assign(Object.create(db), { $queryRaw: held.$queryRaw.bind(held) }), {
    context: runWorld,
    concurrency: 4,
  });
  const first = executor.take();
  await isAsked;
  await insert("late");
  const second = executor.take();
  endClaim();
  await Promise.all([first, second]);
  expect((await db.run.findUniqueOrThrow({ where: { id: "late" } })).status).toBe("SUCCESS");
  await executor.shutDown();
});
