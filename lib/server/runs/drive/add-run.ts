import "server-only";
import { AppError } from "../../app-error";
import { toAuditRow } from "../../audit/record-audit";
import { type Db, isDatabaseError } from "../../db";
import { lockAdmission, openAdmission } from "../admission";
import type { PreparedRun } from "../prepare-run";
import { getRunQueue, usesJobs } from "../queue/run-queue";
import { getExecutor } from "./executor";

type AddedRun = PromiseSettledResult<{ id: string }>;
type AddTables = Pick<Db, "run" | "auditEvent" | "teamSetting" | "deletedRunUsage" | "$executeRaw">;

/**
 * Admits runs and stores those that may begin, with their places in the queue, in one transaction. Resolves with a result
 * for each, in their order: one that is refused or cannot be stored keeps no other from it. Never rejects.
 */
export async function addRuns(db: Db, runs: readonly PreparedRun[]): Promise<AddedRun[]> {
  if (runs.length === 0) return [];
  try {
    const results = await db.$transaction((tx) => admitAndStore(tx, runs));
    wakeExecutor();
    return results;
  } catch (error) {
    // A fault of the database concerns all of them.
    if (runs.length === 1 || isDatabaseError(error)) return runs.map(() => ({ status: "rejected", reason: error }));
    const results: AddedRun[] = [];
    for (const run of runs) results.push(...(await addRuns(db, [run])));
    return results;
  }
}

async function admitAndStore(tx: AddTables, runs: readonly PreparedRun[]): Promise<AddedRun[]> {
  await lockAdmission(tx);
  const knownIds = await findStoredIds(tx, runs);
  const admission = openAdmission(tx);
  const rows: (PreparedRun["row"] & { maxCost?: number | null; maxTokens?: number | null })[] = [];
  const results: AddedRun[] = [];
  for (const { row, admission: request } of runs) {
    try {
      // One that was started already is no new run: storing it again fails, whatever the limits are.
      rows.push(knownIds.has(row.id) ? row : { ...row, ...(await admission.admit(request)) });
      knownIds.add(row.id);
      results.push({ status: "fulfilled", value: { id: row.id } });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      results.push({ status: "rejected", reason: error });
    }
  }
  if (rows.length === 0) return results;
  await tx.run.createMany({ data: rows });
  await tx.auditEvent.createMany({ data: rows.map(toStartEntry) });
  for (const statement of getRunQueue().add(tx, rows)) await statement;
  return results;
}

async function findStoredIds(tx: Pick<Db, "run">, runs: readonly PreparedRun[]): Promise<Set<string>> {
  const where = { id: { in: runs.map(({ row }) => row.id) } };
  return new Set((await tx.run.findMany({ where, select: { id: true } })).map(({ id }) => id));
}

const toStartEntry = ({
  id,
  teamId,
  flowId,
  flowName,
  revisionId,
  startedById,
  startedBy,
  ownKeys,
}: PreparedRun["row"]) =>
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
