import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "../../app-error";
import { localViewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { getDatabaseLocation } from "../../env";
import { createFlow } from "../../flows/commands";
import { listFlows } from "../../flows/list-flows";
import { previewRetention } from "../../retention/retention";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { waitForEnd } from "../testing/own-executors";
import { exportRuns } from "./export-csv";
import { listRuns } from "./list-runs";
import { summarizeRuns } from "./summarize-runs";
import { getShownRun } from "./trace-queries";

const source = `agents: { a: { model: "demo:a" } }
swarm: { flow: a }
`;
let db: Db;
let flow: string;
let runs: string[];

beforeAll(async () => {
  await startServices();
  db = await getDb();
});
beforeEach(async () => {
  await db.run.deleteMany();
  flow = (await createFlow(localViewer, { source })).id;
  runs = [];
  for (const input of ["first", "second", "third"]) {
    const { id } = await startRun(localViewer, flow, { input });
    await waitForEnd(id);
    runs.push(id);
  }
});

const damage = (id: string | undefined, moment: string) =>
  db.$executeRaw`UPDATE "Run" SET "createdAt" = ${moment} WHERE "id" = ${id}`;

// PostgreSQL has a type for moments, and stores no other text.
describe.skipIf(getDatabaseLocation().type !== "sqlite").each([
  ["sorts after every date", "no date"],
  ["sorts before every date", ""],
  ["is no day of a calendar", "2026-99-99T00:00:00.000+00:00"],
])("a run whose moment of creation %s", (_, moment) => {
  test("is in the list once, without a date, and the others are on the following pages", async () => {
    await damage(runs[1], moment);
    const listed = [];
    let before: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listRuns>> = await listRuns(localViewer, {
        limit: 1,
        ...(before !== null && { before }),
      });
      listed.push(...page.runs);
      before = page.next;
    } while (before !== null && listed.length < 10);
    expect(listed.map(({ id }) => id).sort()).toEqual([...runs].sort());
    expect(listed.find(({ id }) => id === runs[1])).toMatchObject({ createdAt: null, error: { code: "unreadable" } });
  });

  test("is in the exported file without a date", async () => {
    await damage(runs[1], moment);
    const csv = await new Response(await exportRuns(localViewer, {})).text();
    for (const id of runs) expect(csv).toContain(id);
    expect(csv).not.toContain("1970-01-01");
  });

  test("does not keep its flow, and other flows, from the list of flows", async () => {
    const { id: other } = await createFlow(localViewer, { source });
    for (const id of runs) await damage(id, moment);
    const { flows } = await listFlows(localViewer, {});
    expect(flows.find(({ id }) => id === flow)?.lastRun).toMatchObject({ status: "UNREADABLE", at: null });
    expect(flows.map(({ id }) => id)).toContain(other);
  });

  test("has a page that refuses with plain words, and stays a neighbour of the others", async () => {
    await damage(runs[1], moment);
    const refusal = await getShownRun(localViewer, runs[1] ?? "").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code: "unreadable", message: expect.stringContaining("cannot be read") });
    for (const id of [runs[0], runs[2]]) expect((await getShownRun(localViewer, id ?? "")).run.id).toBe(id);
  });

  test("does not keep the setting of retention from being shown", async () => {
    for (const id of runs) await db.run.update({ where: { id }, data: { endedAt: new Date(0) } });
    for (const id of runs) await damage(id, moment);
    const preview = await previewRetention(localViewer, { enabled: true, days: 1, keep: 1 });
    expect(preview).toMatchObject({ runs: 2, oldest: null });
  });

  test("is left out of the totals, which say so", async () => {
    await damage(runs[1], moment);
    const sums = await summarizeRuns(localViewer, {});
    expect(sums).toMatchObject({ totals: { runs: 2 }, unreadable: 1 });
    expect(sums.days.reduce((count, day) => count + day.runs, 0)).toBe(2);
  });
});

test("totals leave out runs whose status or figures cannot be read, and say how many", async () => {
  expect(await summarizeRuns(localViewer, {})).toMatchObject({ totals: { runs: 3 }, unreadable: 0 });
  await db.run.update({ where: { id: runs[0] ?? "" }, data: { status: "BROKEN" } });
  if (getDatabaseLocation().type === "sqlite") {
    await db.$executeRaw`UPDATE "Run" SET "durationMs" = 'long', "tokens" = 'many', "cost" = 'much' WHERE "id" = ${runs[1]}`;
    expect(await summarizeRuns(localViewer, {})).toMatchObject({ totals: { runs: 1 }, unreadable: 2 });
  } else expect(await summarizeRuns(localViewer, {})).toMatchObject({ totals: { runs: 2 }, unreadable: 1 });
});
