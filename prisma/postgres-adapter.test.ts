import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { findPostgres } from "../.config/find-postgres.mjs";
import { connectPostgres, type DatabaseError, Prisma, type PrismaClient } from "./client";
import { PostgresServer, performOn, type TestDatabase } from "./testing/postgres-server";
import { createMigratedDatabase, endConnections, performOnServer } from "./testing/test-database";

const toFlow = (id: string) => ({
  ...{ id, teamId: "t", name: id, outline: "", agents: 0, errors: 0 },
  ...{ createdAt: new Date("2026-03-01T12:00:00.123Z"), updatedAt: new Date("2026-03-01T12:00:00.123Z") },
});

let database: TestDatabase;
let db: PrismaClient;
let faults: (DatabaseError | null)[] = [];
beforeEach(async () => {
  database = await createMigratedDatabase();
  faults = [];
  db = await connectPostgres(database.url, (fault) => faults.push(fault));
});
afterEach(async () => {
  await db.$disconnect();
  await database.drop();
});

const listIds = async () =>
  (await db.flow.findMany({ orderBy: { id: "asc" }, select: { id: true } })).map(({ id }) => id);
describe("rows", () => {
  test("are read as they were written, also by SQL", async () => {
    await db.flow.create({ data: toFlow("a") });
    expect(await db.flow.findUniqueOrThrow({ where: { id: "a" } })).toMatchObject(toFlow("a"));
    const { createdAt } = toFlow("a");
    const rows = await db.$queryRaw(
      Prisma.sql`SELECT "id", "createdAt", count(*) OVER () AS "all" FROM "Flow" WHERE "createdAt" <= ${createdAt} LIMIT ${1}`,
    );
    expect(rows).toEqual([{ id: "a", createdAt, all: 1n }]);
  });

  test("of texts are in the order of their bytes", async () => {
    await db.flow.createMany({ data: ["b", "A", "a", "Z", "_", "é"].map(toFlow) });
    expect(await listIds()).toEqual(["A", "Z", "_", "a", "b", "é"]);
  });

  test("have a replacement where a text has a NUL, which PostgreSQL does not store", async () => {
    await db.flow.create({ data: { ...toFlow("a"), outline: "x\0y" } });
    await db.$transaction((tx) => tx.flow.update({ where: { id: "a" }, data: { name: "\0" } }));
    expect(await db.flow.findUnique({ where: { id: "a" } })).toMatchObject({ outline: "x\uFFFDy", name: "\uFFFD" });
  });

  test("that break a rule are no fault", async () => {
    await db.flow.create({ data: toFlow("a") });
    await expect(db.flow.create({ data: toFlow("a") })).rejects.toMatchObject({ code: "P2002" });
    expect(faults).toEqual([null]);
  });
});

describe("transactions", () => {
  test("are stored whole or not at all", async () => {
    const failing = db.$transaction(async (tx) => {
      await tx.flow.create({ data: toFlow("a") });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await db.$transaction([db.flow.create({ data: toFlow("b") }), db.flow.create({ data: toFlow("c") })]);
    expect(await listIds()).toEqual(["b", "c"]);
  });

  test("many at once change one row without losing a change", async () => {
    await db.flow.create({ data: toFlow("counter") });
    const increments = Array.from({ length: 40 }, () =>
      db.$transaction((tx) => tx.flow.updateMany({ where: { id: "counter" }, data: { agents: { increment: 1 } } })),
    );
    await Promise.all(increments);
    expect((await db.flow.findUniqueOrThrow({ where: { id: "counter" } })).agents).toBe(40);
  });

  test("that are serializable read one state", async () => {
    const counts = await db.$transaction(
      async (tx) => {
        const before = await tx.flow.count();
        await db.flow.create({ data: toFlow("a") });
        return [before, await tx.flow.count()];
      },
      { isolationLevel: "Serializable" },
    );
    expect(counts).toEqual([0, 0]);
  });
});

describe("faults of the database", () => {
  test("read-only, until it can be written", async () => {
    const { name } = database;
    await performOnServer(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
    const refusal = { name: "DatabaseError", fault: "read-only", message: expect.stringContaining("read-only") };
    await expect(db.flow.create({ data: toFlow("a") })).rejects.toMatchObject(refusal);
    await expect(db.$transaction((tx) => tx.flow.create({ data: toFlow("b") }))).rejects.toMatchObject(refusal);
    await expect(db.$transaction([db.flow.create({ data: toFlow("c") })])).rejects.toMatchObject(refusal);
    await performOnServer(`ALTER DATABASE "${name}" RESET default_transaction_read_only`);
    await endConnections(database);
    await sleep(50);
    await db.flow.create({ data: toFlow("d") });
    expect(faults.map((fault) => fault?.fault ?? null)).toEqual(["read-only", "read-only", "read-only", null]);
  });

  test("a connection that was ended is replaced, as often as it happens, and readers do not notice", async () => {
    for (let round = 0; round < 12; round++) {
      await expect(
        db.$transaction(async (tx) => {
          await tx.flow.count();
          await endConnections(database);
          await tx.flow.create({ data: toFlow(`lost-${round}`) });
        }),
      ).rejects.toMatchObject({ name: "DatabaseError", fault: "unreachable" });
      expect(await listIds()).toEqual([]);
    }
    await db.flow.create({ data: toFlow("a") });
    expect(faults.at(-1)).toBeNull();
  });

  test("a server that is not there, whose password no message has", async () => {
    const absent = await connectPostgres("postgresql://me:hidden-word@127.0.0.1:1/none", (fault) => faults.push(fault));
    const error: unknown = await absent.flow.count().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "DatabaseError", fault: "unreachable" });
    expect(JSON.stringify([String(error), error])).not.toContain("hidden-word");
    await expect(absent.$transaction((tx) => tx.flow.count())).rejects.toMatchObject({ fault: "unreachable" });
    expect(faults.map((fault) => fault?.fault)).toEqual(["unreachable", "unreachable"]);
    await absent.$disconnect();
  });
});

const installation = findPostgres();
test.skipIf(installation?.type !== "programs")("a server that was killed is found again when it is back", async () => {
  const server = new PostgresServer(installation?.type === "programs" ? installation.folder : "");
  onTestFinished(() => server.stop());
  await server.start();
  await performOn(server.url, "CREATE TABLE kept (id int)");
  const client = await connectPostgres(server.url, (fault) => faults.push(fault));
  const count = () => client.$queryRaw(Prisma.sql`SELECT count(*)::int AS count FROM kept`);
  expect(await count()).toEqual([{ count: 0 }]);
  await server.kill("SIGQUIT");
  await expect(count()).rejects.toMatchObject({ name: "DatabaseError", fault: "unreachable" });
  await server.launch();
  expect(await count()).toEqual([{ count: 0 }]);
  await client.$disconnect();
});
