import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectRunDatabase, createSqliteRunStore, type PrismaClient, type RunStore } from "./client";
import type { DatabaseError } from "./database-error";
import type { Columns, RunWrite } from "./run-store";
import { lockDatabase } from "./testing/lock-database";
import { endConnections } from "./testing/test-database";
import { isSqlite, openTestStore, type TestStore } from "./testing/test-stores";

/** Of the database that this file is run on: each of the two in turn. */
let testStore: TestStore;
let db: PrismaClient;
let store: RunStore;
let faults: (DatabaseError | null)[] = [];
const at = new Date("2026-03-01T12:00:00.123Z");

beforeEach(async () => {
  faults = [];
  testStore = await openTestStore((fault) => faults.push(fault));
  ({ db, store } = testStore);
  const times = { createdAt: at, updatedAt: at };
  await db.flow.create({ data: { id: "f", teamId: "t", name: "", outline: "", agents: 0, errors: 0, ...times } });
  await db.revision.create({ data: { id: "r", flowId: "f", hash: "", source: "", layout: "{}", createdAt: at } });
  for (const id of ["a", "b"])
    await db.run.create({
      data: {
        ...{ id, teamId: "t", flowId: "f", revisionId: "r", flowName: "F", input: "", messages: "[]", output: "" },
        ...{ usage: "{}", simulated: false, createdAt: at, cancelRequested: false },
        ...{ status: "RUNNING", owner: "me", epoch: 3 },
      },
    });
});
afterEach(() => testStore.close());

const event = (seq: number) => ({ seq, type: "text.appended", at, body: `{"seq":${seq}}` });
const node = (nodeId: number, status: string) => ({
  ...{ nodeId, parentId: null, path: `p${nodeId}`, kind: "agent", name: "n", status },
  ...{ startedAt: at, endedAt: status === "SUCCESS" ? at : null, body: "{}", facts: status },
});
const text = (body: string) => ({ nodeId: 1, field: "output", body, sameAs: null });
const toWrite = (change: Partial<RunWrite> = {}): RunWrite => ({
  ...{ runId: "a", owner: "me", epoch: 3, run: {}, events: [], payloads: [], nodes: [] },
  ...change,
});
const countRows = async () => [await db.runEvent.count(), await db.runNode.count(), await db.runPayload.count()];

describe("a write", () => {
  test("appends events, and puts texts and nodes in the place of earlier ones", async () => {
    const first = {
      events: [event(1), event(2)],
      payloads: [text("x")],
      nodes: [node(1, "RUNNING"), node(2, "RUNNING")],
    };
    const run = { status: "WAITING", simulated: true, cost: null, tokens: 7, startedAt: at, models: "\nm\n" };
    expect(await store.write(toWrite({ ...first, run }))).toBe(true);
    const second = { events: [event(3)], payloads: [text("y")], nodes: [node(1, "SUCCESS")] };
    expect(await store.write(toWrite(second))).toBe(true);
    expect(await db.run.findUnique({ where: { id: "a" } })).toMatchObject({ ...run, endedAt: null, epoch: 3 });
    expect(await db.runEvent.findMany({ orderBy: { seq: "asc" } })).toEqual(
      [1, 2, 3].map((seq) => ({ runId: "a", ...event(seq) })),
    );
    expect(await db.runPayload.findMany()).toEqual([{ runId: "a", ...text("y") }]);
    expect(await db.runNode.findMany({ orderBy: { nodeId: "asc" } })).toEqual([
      { runId: "a", ...node(1, "SUCCESS") },
      { runId: "a", ...node(2, "RUNNING") },
    ]);
    expect(await db.run.findUnique({ where: { id: "b" } })).toMatchObject({ status: "RUNNING", tokens: 0 });
  });

  test("takes steps with long paths", async () => {
    const path = Array.from({ length: 1_000 }, (_, index) => `group ${Math.imul(index, 2_654_435_761)}`).join("/");
    expect(await store.write(toWrite({ nodes: [{ ...node(1, "RUNNING"), path }] }))).toBe(true);
    expect((await db.runNode.findFirstOrThrow()).path).toBe(path);
  });

  test.each<[string, { status?: string }, Partial<RunWrite>]>([
    ["of another owner", {}, { owner: "other" }],
    ["of an earlier epoch", {}, { epoch: 2 }],
    ["to a run that has ended", { status: "CANCELLED" }, {}],
    ["to a run that is not there", {}, { runId: "c" }],
  ])("%s is refused whole, with columns of the run and without", async (_, data, change) => {
    await db.run.update({ where: { id: "a" }, data });
    const rows = { events: [event(1)], payloads: [text("x")], nodes: [node(1, "RUNNING")] };
    const changes: readonly Columns[] = [{}, { status: "WAITING" }];
    for (const run of changes) expect(await store.write(toWrite({ ...rows, run, ...change }))).toBe(false);
    expect(await countRows()).toEqual([0, 0, 0]);
    expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).status).toBe(data.status ?? "RUNNING");
  });

  test("of one turn is joined to those of other runs, and is stored or refused on its own", async () => {
    const writes = [
      toWrite({ events: [event(1)], nodes: [node(1, "RUNNING")], run: { status: "WAITING" } }),
      toWrite({ runId: "b", events: [event(1)], payloads: [text("x")] }),
      toWrite({ events: [event(2)], nodes: [node(1, "SUCCESS")] }),
      toWrite({ runId: "c", events: [event(1)] }),
      toWrite({ runId: "b", epoch: 2, events: [event(2)] }),
      toWrite({ runId: "b", events: [event(1)] }),
      toWrite({ runId: "b", events: [event(3)], run: { tokens: 7 } }),
    ];
    const results = await Promise.allSettled(writes.map((write) => store.write(write)));
    expect(results.map((result) => (result.status === "fulfilled" ? result.value : "failed"))).toEqual([
      ...[true, true, true],
      ...[false, false, "failed", true],
    ]);
    const events = await db.runEvent.findMany({ orderBy: [{ runId: "asc" }, { seq: "asc" }] });
    expect(events.map(({ runId, seq }) => `${runId}${seq}`)).toEqual(["a1", "a2", "b1", "b3"]);
    expect((await db.runNode.findFirstOrThrow()).status).toBe("SUCCESS");
    expect(await db.runPayload.findMany()).toEqual([{ runId: "b", ...text("x") }]);
    const runs = await db.run.findMany({ orderBy: { id: "asc" } });
    expect(runs.map(({ status, tokens }) => [status, tokens])).toEqual([
      ["WAITING", 0],
      ["RUNNING", 7],
    ]);
  });

  test("that fails keeps none of the others in its transaction from being stored", async () => {
    await store.write(toWrite({ events: [event(1)] }));
    const writes = [toWrite({ events: [event(1), event(2)] }), toWrite({ runId: "b", events: [event(1)] })];
    const [failed, written] = await Promise.allSettled(writes.map((write) => store.write(write)));
    expect([failed?.status, written]).toEqual(["rejected", { status: "fulfilled", value: true }]);
    expect(await db.runEvent.count()).toBe(2);
  });

  test("that meets a number twice stores nothing of it", async () => {
    await store.write(toWrite({ events: [event(1)] }));
    const rows = { run: { tokens: 9 }, nodes: [node(1, "RUNNING")], events: [event(2), event(1)] };
    await expect(store.write(toWrite(rows))).rejects.toThrow(/UNIQUE|duplicate/i);
    expect(await countRows()).toEqual([1, 0, 0]);
    expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).tokens).toBe(0);
    expect(await store.write(toWrite({ events: [event(2)] }))).toBe(true);
  });

  test("waits for no open transaction of readers, and is seen by the next reader", async () => {
    await db.$transaction(async (tx) => {
      expect(await tx.runEvent.count()).toBe(0);
      expect(await store.write(toWrite({ events: [event(1)] }))).toBe(true);
    });
    expect(await db.runEvent.count()).toBe(1);
  });
});

test.runIf(isSqlite)(
  "a SQLite file that another program has locked keeps writes waiting, and takes them in their order",
  async () => {
    const unlock = await lockDatabase(testStore.location);
    let written = 0;
    const writes = [1, 2, 3].map((seq) => store.write(toWrite({ events: [event(seq)] })).then(() => written++));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(written).toBe(0);
    await unlock();
    await Promise.all(writes);
    expect(await db.runEvent.count()).toBe(3);
    expect(faults).toEqual([null, null, null]);
  },
);

test.runIf(isSqlite)("a SQLite file that cannot be written is a fault of the database, until it can", async () => {
  const connection = connectRunDatabase(testStore.location);
  const readOnly = createSqliteRunStore(connection, (fault) => faults.push(fault));
  connection.pragma("query_only = ON");
  await expect(readOnly.write(toWrite({ events: [event(1)] }))).rejects.toMatchObject({ fault: "read-only" });
  connection.pragma("query_only = OFF");
  expect(await readOnly.write(toWrite({ events: [event(1)] }))).toBe(true);
  expect(faults.map((fault) => fault?.fault ?? null)).toEqual(["read-only", null]);
  await readOnly.close();
});

describe.skipIf(isSqlite)("on PostgreSQL", () => {
  test("texts have a replacement for what it cannot store, and times are those of UTC", async () => {
    await store.write(toWrite({ run: { models: "a\0b" }, payloads: [text("x\0\ud800y😀\u0001\\u0000")] }));
    expect((await db.runPayload.findFirstOrThrow()).body).toBe("x\uFFFD\uFFFDy😀\u0001\\u0000");
    expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).models).toBe("a\uFFFDb");
  });

  test("a write whose connection was lost is repeated without storing an event twice", async () => {
    expect(await store.write(toWrite({ events: [event(1)], run: { tokens: 1 } }))).toBe(true);
    let repeated: Promise<boolean> | undefined;
    await db.$transaction(async (tx) => {
      await tx.run.update({ where: { id: "a" }, data: { warnings: 1 } });
      repeated = store.write(toWrite({ events: [event(2), event(3)] }));
      await new Promise((resolve) => setTimeout(resolve, 100));
      await endConnections({ name: testStore.location }, "WITH");
      // As if the server had stored it and only its answer was lost.
      await tx.runEvent.create({ data: { runId: "a", ...event(2) } });
    });
    expect(await repeated).toBe(true);
    expect(await db.runEvent.count()).toBe(3);
    expect(faults.map((fault) => fault?.fault ?? null)).toEqual([null, "unreachable", null]);
    await expect(store.write(toWrite({ events: [event(3)] }))).rejects.toThrow("duplicate");
  });

  test.each<[string, Columns]>([
    ["with", { tokens: 7 }],
    ["without", {}],
  ])(
    "a process that took the run over wins against a write that waits for it, %s columns of the run",
    async (_, run) => {
      let waiting: Promise<boolean> | undefined;
      await db.$transaction(async (tx) => {
        await tx.run.update({ where: { id: "a" }, data: { owner: "other", epoch: 4 } });
        waiting = store.write(toWrite({ events: [event(1)], run }));
        await new Promise((resolve) => setTimeout(resolve, 100));
      });
      expect(await waiting).toBe(false);
      expect(await db.runEvent.count()).toBe(0);
    },
  );
});
