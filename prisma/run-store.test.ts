import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connectRunDatabase, createSqliteRunStore, type PrismaClient, type RunStore } from "./client";
import type { DatabaseError } from "./database-error";
import type { Columns, RunWrite } from "./run-store";
import { lockDatabase } from "./testing/lock-database";
import { countRows, event, node, storeRuns, text, toWrite } from "./testing/store-contract";
import { endConnections, performOnServer } from "./testing/test-database";
import { isSqlite, openTestStore, type TestStore } from "./testing/test-stores";

/** Of the database that this file is run on: each of the two in turn. */
let testStore: TestStore;
let db: PrismaClient;
let store: RunStore;
let faults: (DatabaseError | null)[] = [];

beforeEach(async () => {
  faults = [];
  testStore = await openTestStore((fault) => faults.push(fault));
  ({ db, store } = testStore);
  await storeRuns(db);
});
afterEach(() => testStore.close());

describe("a write", () => {
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

describe.runIf(isSqlite)("a SQLite file whose disk is full or read-only", () => {
  test.each([
    ["full", "max_page_count = 1", "max_page_count = 1000000"],
    ["read-only", "query_only = ON", "query_only = OFF"],
  ])("keeps writes waiting, and takes them in their order: %s", async (fault, fail, recover) => {
    const connection = connectRunDatabase(testStore.location);
    const own = createSqliteRunStore(connection, (found) => faults.push(found));
    connection.pragma(fail);
    const large = { ...event(1), body: "x".repeat(1_000_000) };
    const writes = [large, event(2), event(3)].map((row) => own.write(toWrite({ events: [row] })));
    while (faults.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    connection.pragma(recover);
    expect(await Promise.all(writes)).toEqual([true, true, true]);
    expect(await db.runEvent.count()).toBe(3);
    expect([faults[0]?.fault, faults.at(-1)]).toEqual([fault, null]);
    await own.close();
  });

  test("is a fault of the database after some time", async () => {
    const connection = connectRunDatabase(testStore.location);
    const impatient = createSqliteRunStore(connection, (fault) => faults.push(fault), { patienceMs: 0 });
    connection.pragma("query_only = ON");
    await expect(impatient.write(toWrite({ events: [event(1)] }))).rejects.toMatchObject({ fault: "read-only" });
    connection.pragma("query_only = OFF");
    expect(await impatient.write(toWrite({ events: [event(1)] }))).toBe(true);
    expect(faults.map((fault) => fault?.fault ?? null)).toEqual(["read-only", null]);
    await impatient.close();
  });
});

describe.skipIf(isSqlite)("on PostgreSQL", () => {
  test("texts have a replacement for what it cannot store, and times are those of UTC", async () => {
    await store.write(toWrite({ run: { models: "a\0b" }, payloads: [text("x\0\ud800y😀\u0001\\u0000")] }));
    expect((await db.runPayload.findFirstOrThrow()).body).toBe("x\uFFFD\uFFFDy😀\u0001\\u0000");
    expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).models).toBe("a\uFFFDb");
  });

  test("a server that is read-only keeps writes waiting", async () => {
    const set = async (change: string): Promise<void> => {
      await performOnServer(`ALTER DATABASE "${testStore.location}" ${change}`);
      await endConnections({ name: testStore.location });
    };
    await set("SET default_transaction_read_only = on");
    const write = store.write(toWrite({ events: [event(1)] }));
    while (!faults.some((fault) => fault?.fault === "read-only"))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await set("RESET default_transaction_read_only");
    expect(await write).toBe(true);
    expect(faults.at(-1)).toBeNull();
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

  /** A write whose connection ends while it waits for the run's row, which has `stored` once it is repeated. */
  async function repeatAfter(write: RunWrite, stored: Columns, events: readonly ReturnType<typeof event>[]) {
    let repeated: Promise<boolean> | undefined;
    await db.$transaction(async (tx) => {
      await tx.run.update({ where: { id: "a" }, data: stored });
      repeated = store.write(write);
      await expect.poll(() => countWaiting()).toBe(1);
      await endConnections({ name: testStore.location }, "WITH");
      for (const row of events) await tx.runEvent.create({ data: { runId: "a", ...row } });
    });
    return repeated;
  }

  async function countWaiting(): Promise<number> {
    const rows = await db.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return rows.length;
  }

  const last = (): RunWrite =>
    toWrite({ events: [event(1), event(2)], nodes: [node(1, "SUCCESS")], run: { status: "SUCCESS", tokens: 7 } });

  test("the last write of a run is repeated when its answer was lost, and is stored once", async () => {
    const stored = { status: "SUCCESS", tokens: 7 };
    expect(await repeatAfter(last(), stored, [event(1), event(2)])).toBe(true);
    expect(faults.map((fault) => fault?.fault ?? null)).toEqual(["unreachable", null]);
    expect(await db.runEvent.count()).toBe(2);
    expect(await db.run.findUniqueOrThrow({ where: { id: "a" } })).toMatchObject({ ...stored, owner: "me", epoch: 3 });
    // A write that nothing interrupted does not follow it.
    expect(await store.write(last())).toBe(false);
  });

  test.each<[string, Columns]>([
    ["with another status", { status: "CANCELLED" }],
    ["by another process", { status: "SUCCESS", owner: null, epoch: 4 }],
  ])("the last write of a run is not repeated where the run has ended %s", async (_, stored) => {
    expect(await repeatAfter(last(), stored, [])).toBe(false);
    expect(await countRows(db)).toEqual([0, 0, 0]);
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
