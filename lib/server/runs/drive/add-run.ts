import "server-only";
import { toAuditRow } from "../../audit/record-audit";
import { type Db, isDatabaseError } from "../../db";
import type { prepareRun } from "../prepare-run";
import { getRunQueue, usesJobs } from "../queue/run-queue";
import { getExecutor } from "./executor";

type NewRunRow = Omit<Awaited<ReturnType<typeof prepareRun>>, "id" | "priority"> & { id: string; priority: number };

/**
 * Stores runs that wait for their turn, and their places in the queue, both or neither. Resolves with a result for each,
 * in their order: one that cannot be stored keeps no other from it. Never rejects.
 */
export async function addRuns(db: Db, rows: readonly NewRunRow[]): Promise<PromiseSettledResult<{ id: string }>[]> {
  if (rows.length === 0) return [];
  try {
    const create = db.run.createMany({ data: [...rows] });
    const record = db.auditEvent.createMany({ data: rows.map(toStartEntry) });
    await db.$transaction([create, record, ...getRunQueue().add(db, rows)]);
  } catch (error) {
    // A fault of the database concerns all of them.
    if (rows.length === 1 || isDatabaseError(error)) return rows.map(() => ({ status: "rejected", reason: error }));
    const results: PromiseSettledResult<{ id: string }>[] = [];
    for (const row of rows) results.push(...(await addRuns(db, [row])));
    return results;
  }
  wakeExecutor();
  return rows.map(({ id }) => ({ status: "fulfilled", value: { id } }));
}

const toStartEntry = ({ id, teamId, flowId, flowName, revisionId, startedById, startedBy, ownKeys }: NewRunRow) =>
  toAuditRow(
    { id: startedById, name: startedBy },
    {
      teamId,
      action: "run.started",
      object: { type: "run", id, name: flowName },
      detail: { flow: flowId, revision: revisionId, ...(ownKeys !== "" && { ownKeys: ownKeys.split("\n") }) },
    },
  );

/** Tells the executor of this process that a run waits, where no queue does. */
export function wakeExecutor(): void {
  if (!usesJobs()) getExecutor().wake();
}
