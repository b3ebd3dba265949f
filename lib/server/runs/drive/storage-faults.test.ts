import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { DatabaseError } from "@/prisma/database-error";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { startServices } from "../../start";
import { pauseRun } from "../pause";
import { getRun } from "../read/queries";
import { chain, insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  // The executor of the services would take runs that wait for an executor of a test.
  await globalThis.swarmloomServices?.endRuns();
});
afterEach(() => executors.stop());

type Table = "run" | "runMessage" | "runEvent";

/** The same database, which is unreachable for statements of one kind while `isAway` is true. */
class UnreachableDatabase {
  isAway = true;
  /** Statements that found it unreachable. */
  attempts = 0;
  readonly db: Db;

  constructor(table: Table, statement: string) {
    const target = Reflect.get(db, table);
    const proxy = new Proxy(target, {
      get: (rows, name) =>
        name === statement && this.isAway
          ? async () => {
              this.attempts++;
              throw new DatabaseError("unreachable", "The PostgreSQL server cannot be reached.");
            }
          : Reflect.get(rows, name),
    });
    this.db = new Proxy(db, {
      get: (client, name) => {
        const value = name === table ? proxy : Reflect.get(client, name);
        return typeof value === "function" ? value.bind(client) : value;
      },
    });
  }

  async waitForAttempts(count: number): Promise<void> {
    while (this.attempts < count) await sleepFor(5);
  }
}

const answers = { a: [{ text: "A" }], b: [{ text: "B" }] };

describe("a database that cannot be reached between the claim of a run and its first call", () => {
  test.each([
    ["the run", "run", "findUniqueOrThrow"],
    ["its messages", "runMessage", "findMany"],
  ] as const)("only delays it: %s is read again", async (_, table, statement) => {
    const away = new UnreachableDatabase(table, statement);
    executors = new OwnExecutors(away.db);
    const id = await insertWaitingRun(chain);
    const { executor, models } = executors.make(answers);
    executor.wake();
    await away.waitForAttempts(3);
    expect((await getRun(localViewer, id)).status).toBe("RUNNING");
    away.isAway = false;
    expect(await waitForEnd(id)).toMatchObject({ status: "SUCCESS", output: { text: "B" }, error: null });
    expect(models.requests.map(({ agent }) => agent)).toEqual(["a", "b"]);
  });

  test("only delays a run that goes on: its journal is read again", async () => {
    const away = new UnreachableDatabase("runEvent", "findMany");
    executors = new OwnExecutors(away.db);
    const id = await insertWaitingRun(chain, "go", { epoch: 1, startedAt: new Date() });
    executors.make(answers).executor.wake();
    await away.waitForAttempts(2);
    away.isAway = false;
    expect((await waitForEnd(id)).status).toBe("SUCCESS");
  });

  test("leaves the run to the process that took it over meanwhile", async () => {
    const away = new UnreachableDatabase("run", "findUniqueOrThrow");
    executors = new OwnExecutors(away.db);
    const id = await insertWaitingRun(chain);
    const { executor, models } = executors.make(answers, { concurrency: 1 });
    executor.wake();
    await away.waitForAttempts(1);
    await db.run.update({ where: { id }, data: { owner: "other", epoch: { increment: 1 } } });
    // Its one slot is free once it has let go of the run.
    const next = await insertWaitingRun(chain);
    away.isAway = false;
    await waitForEnd(next);
    expect(models.requests.map(({ idempotencyKey }) => idempotencyKey?.split(":")[0])).toEqual([next, next]);
    expect(await getRun(localViewer, id)).toMatchObject({ status: "RUNNING", state: { nodes: [] } });
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });

  test("lets a process that stops hand the run back", async () => {
    const away = new UnreachableDatabase("run", "findUniqueOrThrow");
    executors = new OwnExecutors(away.db);
    const id = await insertWaitingRun(chain);
    const { executor } = executors.make(answers);
    executor.wake();
    await away.waitForAttempts(1);
    await executor.shutDown();
    expect((await getRun(localViewer, id)).status).toBe("INIT");
    away.isAway = false;
    executors.make(answers).executor.wake();
    expect((await waitForEnd(id)).status).toBe("SUCCESS");
  });
});

test("a run is parked once the database can be reached again", async () => {
  const away = new UnreachableDatabase("run", "updateMany");
  executors = new OwnExecutors(away.db);
  const id = await insertWaitingRun(chain, "go", { pauseRequested: true });
  away.isAway = false;
  const { executor } = executors.make({ a: [{ text: "A", delayMs: 50 }], b: [{ text: "B" }] });
  away.isAway = true;
  executor.wake();
  await away.waitForAttempts(2);
  away.isAway = false;
  while ((await db.run.findUniqueOrThrow({ where: { id } })).owner !== null) await sleepFor(5);
  expect((await getRun(localViewer, id)).status).toBe("PAUSED");
  await expect(pauseRun(localViewer, id)).resolves.toBeUndefined();
  await db.run.update({ where: { id }, data: { status: "CANCELLED" } });
});
