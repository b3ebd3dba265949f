import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { connectRunDatabase } from "@/prisma/client";
import { lockDatabase } from "@/prisma/testing/lock-database";
import { localViewer } from "./auth/viewer";
import { listConnections } from "./connections/queries";
import { type Db, getStorageFault, openSqliteRunStore } from "./db";
import { getDatabaseFile } from "./env";
import { createFlow } from "./flows/commands";
import { getHealth } from "./health";
import { runWorld } from "./run-world";
import { cancelRun, startRun } from "./runs/commands";
import { Executor, getExecutor } from "./runs/drive/executor";
import { getRun } from "./runs/read/queries";
import { EndlessModel } from "./runs/testing/endless-model";
import { newRow } from "./runs/testing/insert-runs";
import { startServices } from "./start";

const teller = `name: Tale
agents:
  teller: { model: "compatible:x" }
swarm: { type: workflow, flow: teller }
`;

let db: Db;
/** The connection of the store of runs. */
let runDatabase: ReturnType<typeof connectRunDatabase>;
let model: EndlessModel;
let flow: { id: string; revision: string };
beforeAll(async () => {
  model = new EndlessModel();
  await model.start();
  db = await startServices();
  runDatabase = connectRunDatabase(getDatabaseFile());
  // Its patience has ended with the first fault.
  globalThis.swarmloomRunStore = openSqliteRunStore(runDatabase, { patienceMs: 0 });
  // The tests trigger heartbeats themselves.
  getExecutor().stop();
  flow = await createFlow(localViewer, { source: teller });
});
beforeEach(() => model.waitUntilClosed(model.closed + model.open));
afterAll(() => model.stop());

/** A setting of a connection, on both that the process has. */
async function setPragma(pragma: string): Promise<void> {
  await db.$queryRawUnsafe(pragma);
  runDatabase.exec(pragma);
}

async function startTale(): Promise<string> {
  const { id } = await startRun(localViewer, flow.id, { input: "go" });
  await untilTold(id);
  return id;
}

async function untilTold(id: string): Promise<void> {
  while ((await getRun(localViewer, id)).state.nodes.every(({ output }) => output.text !== "Once upon")) await sleep(5);
}

async function ended(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleep(5);
  }
}

describe("a database that another program has locked", () => {
  test("holds up neither health nor readers nor a cancel, and what was begun is done afterwards", async () => {
    const demo = await createFlow(localViewer, { source: teller.replace("compatible:x", "demo:writer") });
    const tale = await startTale();
    await getHealth();
    const closed = model.closed;
    const unlock = await lockDatabase(getDatabaseFile());
    const onStart = vi.fn();
    const started = startRun(localViewer, demo.id, { input: "go" });
    void started.then(onStart);
    for (let reading = 0; reading < 5; reading++) {
      expect((await getHealth()).status).toBe("ok");
      await getRun(localViewer, tale);
      await sleep(50);
    }
    const cancelled = cancelRun(localViewer, tale);
    await model.waitUntilClosed(closed + 1);
    expect(onStart).not.toHaveBeenCalled();
    await unlock();
    await cancelled;
    expect((await ended(tale)).status).toBe("CANCELLED");
    expect((await ended((await started).id)).status).toBe("SUCCESS");
  });
});

describe.each([
  [
    "full",
    /disk .* is full/,
    () => setPragma("PRAGMA max_page_count = 1"),
    () => setPragma("PRAGMA max_page_count = 1000000"),
  ],
  ["read-only", /read-only/, () => setPragma("PRAGMA query_only = ON"), () => setPragma("PRAGMA query_only = OFF")],
])("a database that is %s", (fault, reason, fail, recover) => {
  test("for some seconds ends no run: its calls go on, and what it produced meanwhile is stored afterwards", async () => {
    const impatient = globalThis.swarmloomRunStore;
    globalThis.swarmloomRunStore = openSqliteRunStore(runDatabase);
    const run = await startTale();
    await fail();
    model.sendText("x".repeat(1_000_000));
    while (getStorageFault() === null) await sleep(5);
    expect([model.open, (await getRun(localViewer, run)).status]).toEqual([1, "RUNNING"]);
    await recover();
    while (!(await getRun(localViewer, run)).state.nodes.some(({ output }) => output.text.startsWith("Once uponx")))
      await sleep(5);
    expect([model.open, (await getRun(localViewer, run)).status]).toEqual([1, "RUNNING"]);
    await cancelRun(localViewer, run);
    await ended(run);
    globalThis.swarmloomRunStore = impatient;
  });

  test("for longer ends the calls of runs, is not healthy, and starts no run; afterwards all is as it was", async () => {
    const run = await startTale();
    expect(await getHealth()).toMatchObject({ status: "ok", database: "ok" });
    const closed = model.closed;
    await fail();
    model.sendText("x".repeat(1_000_000));
    await model.waitUntilClosed(closed + 1);

    const message = expect.stringMatching(reason);
    while ((await getHealth()).status === "ok") await sleep(5);
    expect(await getHealth()).toMatchObject({ status: "failing", database: "failing", reason: message });
    await expect(startRun(localViewer, flow.id, { input: "go" })).rejects.toMatchObject({ fault, message });
    expect((await getRun(localViewer, run)).status).toBe("RUNNING");
    expect(await listConnections(localViewer)).not.toEqual([]);
    await getExecutor().beat();

    await recover();
    const row = { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "T" };
    const { id: waiting } = await db.run.create({ data: row });
    await getExecutor().beat();
    const { status, error, output } = await ended(run);
    expect([status, error]).toEqual(["FAILED", { code: "storage", message }]);
    expect(output.text).toMatch(/^Once uponx/);
    expect(await getHealth()).toMatchObject({ status: "ok", database: "ok" });
    await untilTold(waiting);
    await cancelRun(localViewer, waiting);
    await ended(waiting);
  });
});

test("a disk that has room for little gets the end of a run without what the run produced last", async () => {
  // The one of the services would attempt to store all of it for a minute.
  getExecutor().takesRuns = false;
  const executor = new Executor(db, { concurrency: 1, context: runWorld, rescueMs: 0 });
  const row = { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "T" };
  const { id } = await db.run.create({ data: row });
  executor.wake();
  await untilTold(id);
  const [{ pages }] = z
    .tuple([z.object({ pages: z.coerce.number() })])
    .parse(await db.$queryRawUnsafe("SELECT page_count AS pages FROM pragma_page_count"));
  await setPragma(`PRAGMA max_page_count = ${pages + 50}`);
  model.sendText("x".repeat(1_000_000));
  const { error, output } = await ended(id);
  expect([error?.code, output.text]).toEqual(["storage", "Once upon"]);
  await setPragma("PRAGMA max_page_count = 1000000");
  getExecutor().takesRuns = true;
});

test("a database that became read-only is noticed by heartbeats while nothing runs", async () => {
  await setPragma("PRAGMA query_only = ON");
  for (let beat = 0; beat < 20; beat++) await getExecutor().beat();
  expect(await getHealth()).toMatchObject({ status: "failing", reason: expect.stringMatching(/read-only/) });
  await setPragma("PRAGMA query_only = OFF");
  expect(await getHealth()).toMatchObject({ status: "ok" });
});
