import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Prisma, type PrismaClient } from "../client";
import type { Columns, RunStore, RunWrite } from "../run-store";

/** A database with its store of runs. */
export interface StoreUnderTest {
  db: PrismaClient;
  store: RunStore;
  close(): Promise<void>;
}

export const at = new Date("2026-03-01T12:00:00.123Z");
export const event = (seq: number) => ({ seq, type: "text.appended", at, body: `{"seq":${seq}}` });
export const node = (nodeId: number, status: string) => ({
  ...{ nodeId, parentId: null, path: `p${nodeId}`, kind: "agent", name: "n", status },
  ...{ startedAt: at, endedAt: status === "SUCCESS" ? at : null, body: "{}", facts: status },
});
export const text = (body: string) => ({ nodeId: 1, field: "output", body, sameAs: null });
export const toWrite = (change: Partial<RunWrite> = {}): RunWrite => ({
  ...{ runId: "a", owner: "me", epoch: 3, run: {}, events: [], payloads: [], nodes: [] },
  ...change,
});
export const countRows = async (db: PrismaClient): Promise<number[]> => [
  await db.runEvent.count(),
  await db.runNode.count(),
  await db.runPayload.count(),
];

/** Stores the runs `a` and `b`, which this process drives. */
export async function storeRuns(db: PrismaClient): Promise<void> {
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
}

/** What every database promises to those who store runs and ask the ORM, the simulated one included. */
export function describeStore(open: () => Promise<StoreUnderTest>): void {
  let opened: StoreUnderTest;
  let db: PrismaClient;
  let store: RunStore;

  beforeEach(async () => {
    opened = await open();
    ({ db, store } = opened);
    await storeRuns(db);
  });
  afterEach(() => opened.close());

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
      expect(await countRows(db)).toEqual([0, 0, 0]);
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
      expect(await countRows(db)).toEqual([1, 0, 0]);
      expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).tokens).toBe(0);
      expect(await store.write(toWrite({ events: [event(2)] }))).toBe(true);
    });
  });

  describe("a transaction", () => {
    test("that fails is undone, with everything that it wrote", async () => {
      const failed = db.$transaction(async (tx) => {
        await tx.run.update({ where: { id: "a" }, data: { tokens: 9 } });
        await tx.runEvent.create({ data: { runId: "a", ...event(1) } });
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect(await countRows(db)).toEqual([0, 0, 0]);
      expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).tokens).toBe(0);
    });

    test("of a list of statements is undone when one of them is refused", async () => {
      const statements = [1, 2, 1].map((seq) => db.runEvent.create({ data: { runId: "a", ...event(seq) } }));
      await expect(db.$transaction(statements)).rejects.toMatchObject({ code: "P2002" });
      expect(await countRows(db)).toEqual([0, 0, 0]);
    });

    test("sees what it wrote, and what it reads and changes is not lost to another one", async () => {
      const add = () =>
        db.$transaction(async (tx) => {
          await tx.run.update({ where: { id: "a" }, data: { tokens: { increment: 1 } } });
          return (await tx.run.findUniqueOrThrow({ where: { id: "a" } })).tokens;
        });
      expect((await Promise.all([add(), add(), add()])).sort()).toEqual([1, 2, 3]);
      expect((await db.run.findUniqueOrThrow({ where: { id: "a" } })).tokens).toBe(3);
    });

    test("is followed by others after a failure", async () => {
      const fail = () =>
        db.$transaction(async (tx) => {
          await tx.run.update({ where: { id: "missing" }, data: { tokens: 1 } });
        });
      for (let time = 0; time < 3; time++) await expect(fail()).rejects.toMatchObject({ code: "P2025" });
      expect(await store.write(toWrite({ events: [event(1)] }))).toBe(true);
    });
  });

  describe("a statement", () => {
    test("that breaks a constraint fails with its code, and keeps nothing", async () => {
      await db.runEvent.create({ data: { runId: "a", ...event(1) } });
      const statements = {
        P2002: () => db.runEvent.create({ data: { runId: "a", ...event(1) } }),
        P2003: () => db.runEvent.create({ data: { runId: "missing", ...event(1) } }),
        P2025: () => db.run.update({ where: { id: "missing" }, data: { tokens: 1 } }),
      };
      for (const [code, perform] of Object.entries(statements)) {
        const error: unknown = await perform().catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(Prisma.PrismaClientKnownRequestError);
        expect(error).toMatchObject({ code });
      }
      expect(await countRows(db)).toEqual([1, 0, 0]);
    });

    test("counts the rows that it changed", async () => {
      const change = (owner: string) => db.run.updateMany({ where: { owner }, data: { tokens: 5 } });
      expect([await change("me"), await change("other")]).toEqual([{ count: 2 }, { count: 0 }]);
    });

    test("of SQL reads what the ORM wrote", async () => {
      const rows = await db.$queryRaw`SELECT "id", "epoch", "owner" FROM "Run" ORDER BY "id"`;
      expect(rows).toMatchObject([
        { id: "a", owner: "me" },
        { id: "b", owner: "me" },
      ]);
      expect(await db.$executeRaw`UPDATE "Run" SET "tokens" = 4 WHERE "id" = 'a'`).toBe(1);
    });
  });
}
