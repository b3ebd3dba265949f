import { isDatabaseError } from "@/prisma/database-error";
import type { RunStore, RunWrite } from "@/prisma/run-store";
import { SqliteRunWriter } from "@/prisma/sqlite-run-store";
import { storePatienceMs, writePatiently } from "@/prisma/store-patience";
import { WriteGroups } from "@/prisma/write-groups";
import type { StoreAccess } from "./simulated-adapter";

/** Groups of writes at the same time, as in the store of runs for PostgreSQL. */
const concurrency = 4;

/**
 * The store of runs of a simulated process: with the statements of the one for SQLite and the connections of the
 * one for PostgreSQL, whose answers may get lost.
 */
export function createSimulatedRunStore({ store, client }: StoreAccess): RunStore {
  const { connection } = store.database;
  const writer = new SqliteRunWriter(connection);
  const lastSeq = connection.prepare<[string], { seq: bigint | null }>(
    `SELECT max("seq") AS "seq" FROM "RunEvent" WHERE "runId" = ?`,
  );
  const head = connection.prepare<[string, string, number], { status: string }>(
    `SELECT "status" FROM "Run" WHERE "id" = ? AND "owner" = ? AND "epoch" = ? AND "status" NOT IN ('RUNNING', 'WAITING')`,
  );
  /** Runs whose last write may have been stored, although its connection was lost. */
  const inDoubt = new Set<string>();
  const withoutStored = (write: RunWrite): RunWrite => {
    const seq = Number(lastSeq.get(write.runId)?.seq ?? 0);
    return { ...write, events: write.events.filter((event) => Number(event.seq) > seq) };
  };
  /** Whether the run has the owner, the epoch and the status that a write in doubt gives it: it was stored then. */
  const hasEnded = ({ runId, owner, epoch, run }: RunWrite): boolean =>
    inDoubt.has(runId) && run.status !== undefined && head.get(runId, owner, epoch)?.status === run.status;
  const execute = (writes: readonly RunWrite[]): ReadonlySet<string> => {
    const ended = writes.filter(hasEnded);
    const open = writes.filter((write) => !ended.includes(write));
    const written = writer.write(open.map((write) => (inDoubt.has(write.runId) ? withoutStored(write) : write)));
    return new Set([...written, ...ended.map(({ runId }) => runId)]);
  };
  const attempt = async (writes: readonly RunWrite[]): Promise<ReadonlySet<string>> => {
    try {
      const written = await store.perform({
        client,
        addsRows: writes.some(({ events }) => events.length > 0),
        execute: async () => execute(writes),
      });
      for (const { runId } of writes) inDoubt.delete(runId);
      return written;
    } catch (error) {
      if (isDatabaseError(error)) for (const { runId } of writes) inDoubt.add(runId);
      throw error;
    }
  };
  const perform = (writes: readonly RunWrite[]): Promise<ReadonlySet<string>> =>
    writePatiently(() => attempt(writes), {
      toFault: (error) => (isDatabaseError(error) ? error : null),
      onFault: (fault) => client.onStoreFault(fault),
      patienceMs: storePatienceMs,
      isClosed: () => false,
    });
  const groups = new WriteGroups({ concurrency, perform });
  return { write: (write) => groups.add(write), close: async () => {} };
}
