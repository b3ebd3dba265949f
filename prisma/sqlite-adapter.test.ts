import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { connectRunDatabase, connectSqlite, type DatabaseError, type PrismaClient } from "./client";
import { migrateSqlite, readMigrations } from "./migrate";
import { lockDatabase } from "./testing/lock-database";

let folder = "";
let file = "";
let db: PrismaClient;
let faults: (DatabaseError | null)[] = [];
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-adapter-"));
  file = path.join(folder, "test.db");
  migrateSqlite(file, readMigrations(path.join(import.meta.dirname, "migrations/sqlite")));
  faults = [];
  db = await connectSqlite(file, (fault) => faults.push(fault));
});
afterEach(async () => {
  vi.useRealTimers();
  await db.$disconnect();
  rmSync(folder, { recursive: true, force: true });
});

const flow = (id: string) => ({
  id,
  teamId: "local",
  name: "",
  outline: "",
  agents: 0,
  errors: 0,
  createdAt: new Date(),
  updatedAt: new Date(),
});

const listIds = async (): Promise<string[]> =>
  (await db.flow.findMany({ orderBy: { id: "asc" }, select: { id: true } })).map(({ id }) => id);

describe("a database that another program has locked for longer than the driver and the client wait by default", () => {
  test("keeps writes and transactions waiting while the event loop goes on, and takes them all afterwards", async () => {
    // The driver itself waits for nothing: it would hold up the event loop.
    expect(await db.$queryRawUnsafe("PRAGMA busy_timeout")).toEqual([{ timeout: 0n }]);
    const unlock = await lockDatabase(file);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    const onEnd = vi.fn();
    const writes = Promise.all([
      db.flow.create({ data: flow("a") }),
      db.$transaction(async (tx) => {
        await tx.flow.create({ data: flow("b") });
        await tx.flow.create({ data: flow("c") });
      }),
      db.$transaction([db.flow.create({ data: flow("d") }), db.flow.create({ data: flow("e") })]),
      ...Array.from({ length: 20 }, () => db.flow.updateMany({ where: { id: "a" }, data: { agents: 1 } })),
    ]);
    const reading = db.$transaction((tx) => tx.flow.count());
    void writes.then(onEnd);
    expect([await db.flow.count(), await reading]).toEqual([0, 0]);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(onEnd).not.toHaveBeenCalled();
    await unlock();
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    await writes;
    expect(await listIds()).toEqual(["a", "b", "c", "d", "e"]);
    expect(faults.every((fault) => fault === null)).toBe(true);
  });
});

describe("transactions on the one connection", () => {
  test("keep statements of others out, which stay when the transaction is rolled back", async () => {
    let created: Promise<unknown> = Promise.resolve();
    const failed = db.$transaction(async (tx) => {
      await tx.flow.create({ data: flow("inside") });
      created = db.flow.create({ data: flow("outside") }).then(() => undefined);
      await sleep(20);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await created;
    expect(await listIds()).toEqual(["outside"]);
  });

  test("that read before another program wrote are refused at once when they write", async () => {
    const upgrade = db.$transaction(async (tx) => {
      await tx.flow.count();
      const unlock = await lockDatabase(file);
      await unlock();
      const other = await connectSqlite(file);
      await other.flow.create({ data: flow("other") });
      await other.$disconnect();
      await tx.flow.create({ data: flow("late") });
    });
    await expect(upgrade).rejects.toMatchObject({ name: "DatabaseError", fault: "locked" });
    expect(await listIds()).toEqual(["other"]);
  });

  test("one after another, many at once", async () => {
    const work = Array.from({ length: 40 }, (_, index) =>
      db.$transaction(async (tx) => {
        const count = await tx.flow.updateMany({ where: { id: "counter" }, data: { agents: { increment: 1 } } });
        if (count.count === 0) await tx.flow.create({ data: { ...flow("counter"), agents: 1 } });
        if (index % 4 === 0) throw new Error("rolled back");
      }),
    );
    const results = await Promise.allSettled(work);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
    expect((await db.flow.findUniqueOrThrow({ where: { id: "counter" } })).agents).toBe(30);
  });
});

describe("faults of the database are told apart from faults of a statement", () => {
  test("read-only", async () => {
    await db.$queryRawUnsafe("PRAGMA query_only = ON");
    const refusal = { name: "DatabaseError", fault: "read-only", message: expect.stringContaining("read-only") };
    await expect(db.flow.create({ data: flow("a") })).rejects.toMatchObject(refusal);
    await expect(db.$transaction((tx) => tx.flow.create({ data: flow("b") }))).rejects.toMatchObject(refusal);
    await expect(db.$transaction([db.flow.create({ data: flow("c") })])).rejects.toMatchObject(refusal);
    await db.$queryRawUnsafe("PRAGMA query_only = OFF");
    await db.flow.create({ data: flow("d") });
    expect(faults.map((fault) => fault?.fault ?? null)).toEqual(["read-only", "read-only", "read-only", null]);
    expect(await listIds()).toEqual(["d"]);
  });

  test("full; what follows in the same transaction is not stored either", async () => {
    await db.flow.create({ data: flow("a") });
    await db.$queryRawUnsafe("PRAGMA max_page_count = 1");
    const outline = "x".repeat(1_000_000);
    const swallowing = db.$transaction(async (tx) => {
      await tx.flow.create({ data: { ...flow("large"), outline } }).catch(() => {});
      await tx.flow.updateMany({ where: { id: "a" }, data: { agents: 7 } });
    });
    await expect(swallowing).rejects.toMatchObject({
      fault: "full",
      message: expect.stringMatching(/disk .* is full/),
    });
    expect(await db.flow.findMany({ select: { id: true, agents: true } })).toEqual([{ id: "a", agents: 0 }]);
    await db.flow.updateMany({ where: { id: "a" }, data: { agents: 8 } });
    expect(faults.at(-1)).toBeNull();
  });

  test("a statement that breaks a rule is none", async () => {
    await db.flow.create({ data: flow("a") });
    await expect(db.flow.create({ data: flow("a") })).rejects.toMatchObject({ code: "P2002" });
    expect(faults).toEqual([null]);
  });
});

test("a commit waits for the disk on both connections: what was answered outlives a loss of power", async () => {
  expect(await db.$queryRawUnsafe("PRAGMA synchronous")).toEqual([{ synchronous: 2n }]);
  const runs = connectRunDatabase(file);
  expect(runs.pragma("synchronous", { simple: true })).toBe(2);
  runs.close();
});
