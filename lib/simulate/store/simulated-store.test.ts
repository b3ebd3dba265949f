import type Sqlite from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { PrismaClient } from "@/prisma/generated/sqlite/client";
import type { RunWrite } from "@/prisma/run-store";
import { describeStore, event, node, type StoreUnderTest, storeRuns, toWrite } from "@/prisma/testing/store-contract";
import { Random } from "../time/random";
import { waitForRealTurn } from "../time/real-clocks";
import { Timeline } from "../time/timeline";
import { MemoryDatabase } from "./database";
import { SimulatedAdapter } from "./simulated-adapter";
import { createSimulatedRunStore } from "./simulated-run-store";
import { SimulatedStore, type StoreClient, type StoreFaults } from "./simulated-store";

const noFaults: StoreFaults = { slowChance: 0, maxSlowMs: 0, lossChance: 0 };

interface SimulatedStoreUnderTest extends StoreUnderTest {
  /** What the store of this simulated process told it: a fault, or null once it has written. */
  told: (Error | null)[];
  setFaults(faults: StoreFaults): void;
  connection: Sqlite.Database;
}

/** A simulated store with one process, whose events happen as long as the store is open. */
async function openSimulated(seed = 1): Promise<SimulatedStoreUnderTest> {
  const timeline = new Timeline();
  const told: (Error | null)[] = [];
  const client: StoreClient = {
    ...{ name: "A1", isAlive: true, frozenUntil: 0 },
    onStoreFault: (fault) => told.push(fault),
  };
  const database = await MemoryDatabase.open();
  const store = new SimulatedStore(database, timeline, new Random(seed), noFaults);
  const access = { store, client };
  const adapter = new SimulatedAdapter();
  adapter.access = access;
  let isOpen = true;
  const happen = async (): Promise<void> => {
    while (isOpen) if (!(await timeline.step(timeline.now + 1))) await waitForRealTurn();
  };
  const happening = happen();
  return {
    db: new PrismaClient({ adapter }),
    store: createSimulatedRunStore(access),
    told,
    connection: database.connection,
    setFaults: (faults) => {
      store.faults = faults;
    },
    close: async () => {
      isOpen = false;
      await happening;
    },
  };
}

describeStore(() => openSimulated());

const seeds = Array.from({ length: 12 }, (_, index) => index + 1);

describe("a write whose connection was lost", () => {
  test.each(seeds)("is repeated, and stored once: seed %i", async (seed) => {
    const { db, store, told, setFaults, close } = await openSimulated(seed);
    await storeRuns(db);
    setFaults({ ...noFaults, lossChance: 0.5 });
    const write = (change: Partial<RunWrite>): Promise<boolean> => store.write(toWrite(change));
    expect(await write({ events: [event(1)], nodes: [node(1, "RUNNING")] })).toBe(true);
    const end = { events: [event(2), event(3)], nodes: [node(1, "SUCCESS")], run: { status: "SUCCESS", tokens: 7 } };
    expect(await write(end)).toBe(true);
    setFaults(noFaults);
    expect(await db.runEvent.count()).toBe(3);
    expect(await db.run.findUnique({ where: { id: "a" } })).toMatchObject({
      status: "SUCCESS",
      tokens: 7,
      owner: "me",
    });
    expect(told.at(-1)).toBeNull();
    // A write that nothing interrupted does not follow the end.
    expect(await write(end)).toBe(false);
    await close();
  });

  test("is refused where another process has ended the run meanwhile", async () => {
    const { db, store, told, setFaults, connection, close } = await openSimulated();
    await storeRuns(db);
    setFaults({ ...noFaults, lossChance: 1 });
    const written = store.write(toWrite({ events: [event(1)], run: { status: "SUCCESS" } }));
    await expect.poll(() => told.length).toBeGreaterThan(0);
    connection.exec(`DELETE FROM "RunEvent"; UPDATE "Run" SET "status" = 'CANCELLED'`);
    setFaults(noFaults);
    expect(await written).toBe(false);
    await close();
  });
});
