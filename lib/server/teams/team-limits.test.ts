import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { purgeFlow, trashFlow } from "../flows/trash";
import { deleteRun } from "../retention/delete-run";
import { startRun } from "../runs/commands";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { getTeamLimits, noTeamLimits, openTeamLimits, saveTeamLimits, type TeamLimits } from "./team-limits";

const viewer = toTeamViewer({ id: "vic", name: "Vic" }, { teamId: localTeamId, role: "viewer" });
const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const source = (model = "demo:a", limits = "") =>
  `name: L\nagents:\n  a: { model: "${model}" }\n${limits}swarm: { flow: a }\n`;

let db: Db;
let flow: { id: string; revision: string };
beforeAll(async () => {
  process.env.COMPATIBLE_BASE_URL = "http://127.0.0.1:9/v1";
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  flow = await createFlow(localViewer, { source: source() });
});
beforeEach(async () => {
  await db.run.deleteMany();
  await db.deletedRunUsage.deleteMany();
  await saveTeamLimits(localViewer, noTeamLimits);
});

const limit = (limits: Partial<TeamLimits>) => saveTeamLimits(localViewer, { ...noTeamLimits, ...limits });
const insert = (cost: number, createdAt = new Date(), tokens = 0) => {
  const place = { flowId: flow.id, revisionId: flow.revision, flowName: "L" };
  return db.run.create({ data: { ...newRow(), ...place, cost, tokens, createdAt } });
};
const refusalOf = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => "accepted",
    (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : String(error)),
  );
const start = (simulate = false, id = flow.id) => startRun(localViewer, id, { input: "x", simulate });

test("limits are read by all members, with what was used, and changed by those who manage the team", async () => {
  await insert(0.5, new Date(), 7);
  await insert(0.25, new Date(Date.now() - 40 * 86_400_000));
  const saved = await limit({ maxRunsPerDay: 10, maxRunCost: 1 });
  expect(saved).toEqual({
    ...noTeamLimits,
    maxRunsPerDay: 10,
    maxRunCost: 1,
    used: {
      ...{ runsToday: 1, runsThisMonth: 1, costToday: 0.5, costThisMonth: 0.5, tokensThisMonth: 7 },
      ...{ isCostTodayPartial: false, isCostThisMonthPartial: false },
    },
  });
  expect(await getTeamLimits(viewer)).toEqual(saved);
  for (const one of [viewer, editor]) expect(await refusalOf(saveTeamLimits(one, noTeamLimits))).toMatch(/^forbidden/);
});

describe("a run does not begin", () => {
  test("once the runs of the day are used, also of several that are requested at the same time", async () => {
    await limit({ maxRunsPerDay: 3 });
    const results = await Promise.all(Array.from({ length: 6 }, () => refusalOf(start())));
    expect(results.filter((result) => result === "accepted")).toHaveLength(3);
    expect(results.find((result) => result !== "accepted")).toMatch(/^rate_limited: This team may start 3 runs a day/);
    expect(await db.run.count()).toBe(3);
  });

  test("once the runs or the tokens of the month are used; what is left of the tokens is the limit of a run", async () => {
    await insert(0, new Date(), 900);
    await limit({ maxTokensPerMonth: 1000 });
    const { id } = await start();
    expect(await db.run.update({ where: { id }, data: { tokens: 100 } })).toMatchObject({ maxTokens: 100 });
    expect(await refusalOf(start())).toContain("may use 1,000 tokens a month");
    expect(await refusalOf(start(true))).toBe("accepted");
    await limit({ maxRunsPerMonth: 3 });
    expect(await refusalOf(start(true))).toContain("may start 3 runs a month");
  });

  test("once the cost of the day or of the month is reached; simulated ones do, for they cost nothing", async () => {
    await insert(2);
    await limit({ maxCostPerDay: 2 });
    const answer = await start().catch((error: unknown) => error);
    expect(answer).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
    expect(String(answer)).toContain("a day ($2)");
    await limit({ maxCostPerMonth: 1.5 });
    expect(await refusalOf(start())).toContain("a month ($1.5)");
    expect(await refusalOf(start(true))).toBe("accepted");
    await limit({ maxCostPerMonth: 2.5 });
    expect(await refusalOf(start())).toBe("accepted");
  });

  test("with a model whose price is not known, unless its tokens are limited", async () => {
    const unpriced = await createFlow(localViewer, { source: source("compatible:own") });
    const tokens = await createFlow(localViewer, { source: source("compatible:own", "limits: { max_tokens: 100 }\n") });
    expect(await refusalOf(start(false, unpriced.id))).toBe("accepted");
    await limit({ maxRunCost: 1 });
    expect(await refusalOf(start(false, unpriced.id))).toContain("is not known");
    expect(await refusalOf(start(false, tokens.id))).toBe("accepted");
  });
});

test("what deleted runs have used counts until the end of its period", async () => {
  const { id: gone } = await createFlow(localViewer, { source: source() });
  const ended = { status: "SUCCESS", endedAt: new Date(), tokens: 10 };
  const add = (cost: number, row: object = {}) =>
    db.run.create({
      data: { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "L", cost, ...ended, ...row },
    });
  const kept = await add(0.25);
  const { revisionId } = await db.flow.findUniqueOrThrow({ where: { id: gone } });
  await add(0.5, { flowId: gone, revisionId: revisionId ?? "" });
  await add(4, { createdAt: new Date(Date.now() - 40 * 86_400_000) });
  const before = (await getTeamLimits(localViewer)).used;
  expect(before).toMatchObject({ runsToday: 2, costToday: 0.75, tokensThisMonth: 20 });
  for (const { id } of await db.run.findMany({ where: { flowId: flow.id } })) await deleteRun(db, id);
  expect(await deleteRun(db, kept.id)).toBe(false);
  await trashFlow(localViewer, gone);
  await purgeFlow(localViewer, gone);
  expect(await db.run.count()).toBe(0);
  expect((await getTeamLimits(localViewer)).used).toEqual(before);
  await limit({ maxRunsPerDay: 2 });
  expect(await refusalOf(start())).toContain("may start 2 runs a day");
});

test("a run may cost what is left, at most what one run may", async () => {
  await insert(2);
  const costOf = async (limits: Partial<TeamLimits>) => {
    await limit(limits);
    const { id } = await start();
    const { maxCost } = await db.run.update({ where: { id }, data: { status: "SUCCESS" } });
    return maxCost;
  };
  expect(await costOf({})).toBeNull();
  expect(await costOf({ maxRunCost: 0.5 })).toBe(0.5);
  expect(await costOf({ maxRunCost: 5, maxCostPerDay: 3 })).toBe(1);
  expect(await costOf({ maxRunCost: 0.5, maxCostPerMonth: 10 })).toBe(0.5);
});

test("several runs of one request share what is left", async () => {
  await limit({ maxCostPerDay: 1 });
  expect(await openTeamLimits(db).assertAllowed({ teamId: localTeamId, simulated: false }, 4)).toEqual({
    maxCost: 0.25,
    maxTokens: undefined,
    isReserved: false,
  });
});

test("with a limit of a run, what runs under way may still cost is not given to others", async () => {
  await limit({ maxRunCost: 0.5, maxCostPerDay: 1.2 });
  const results = await Promise.all(Array.from({ length: 4 }, () => refusalOf(start())));
  expect(results.filter((result) => result === "accepted")).toHaveLength(3);
  expect(results.find((result) => result !== "accepted")).toContain("Runs under way may cost what is left");
  const costs = (await db.run.findMany()).map(({ maxCost }) => Number(maxCost)).sort();
  expect(costs.map((cost) => cost.toFixed(2))).toEqual(["0.20", "0.50", "0.50"]);
  expect(await refusalOf(start())).toContain("Try again once one of them has ended");
  await db.run.updateMany({ data: { status: "SUCCESS", cost: 0.1 } });
  expect(await refusalOf(start())).toBe("accepted");
});

test("days and months are those of UTC", async () => {
  await insert(1, new Date("2026-03-31T23:59:59Z"));
  await limit({ maxCostPerDay: 1, maxCostPerMonth: 1 });
  const request = { teamId: localTeamId, simulated: false };
  const admit = (now: string) => openTeamLimits(db, { now: new Date(now) }).assertAllowed(request, 1);
  await expect(admit("2026-03-31T23:59:59.5Z")).rejects.toThrow("2026-04-01 00:00 UTC");
  expect(await admit("2026-04-01T00:00:00Z")).toMatchObject({ maxCost: 1 });
});

test("another team's limits and runs are its own", async () => {
  await limit({ maxRunsPerDay: 1 });
  await insert(0);
  const allowance = await openTeamLimits(db).assertAllowed({ teamId: "elsewhere", simulated: false }, 5);
  expect(allowance).toEqual({ maxCost: undefined, maxTokens: undefined, isReserved: false });
});
