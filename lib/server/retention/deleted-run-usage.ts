import "server-only";
import type { Db } from "../db";
import { startOfDay, startOfMonth } from "./usage-periods";

type UsageTables = Pick<Db, "run" | "deletedRunUsage">;

/**
 * Notes what runs have used that are about to be deleted, in the same transaction: a limit of a team counts them until its
 * period ends. Runs of earlier months count nowhere any more.
 */
export async function keepUsage(tx: UsageTables, teamId: string, runs: { id: string } | { flowId: string }) {
  const now = new Date();
  const [today, month] = [startOfDay(now), startOfMonth(now)];
  for (const [day, createdAt] of [
    [today, { gte: today }],
    // Those of the other days together: no limit tells them apart.
    [month, { gte: month, lt: today }],
  ] as const) {
    const { _count: count, _sum } = await tx.run.aggregate({
      where: { ...runs, teamId, createdAt },
      _count: true,
      _sum: { cost: true, tokens: true },
    });
    if (count === 0) continue;
    const [cost, tokens] = [_sum.cost ?? 0, _sum.tokens ?? 0];
    await tx.deletedRunUsage.upsert({
      where: { teamId_day: { teamId, day } },
      create: { teamId, day, runs: count, cost, tokens },
      update: { runs: { increment: count }, cost: { increment: cost }, tokens: { increment: tokens } },
    });
  }
}

/** What runs had used that were made since a day began, and deleted. */
export async function readKeptUsage(db: Pick<Db, "deletedRunUsage">, teamId: string, since: Date) {
  const { _sum } = await db.deletedRunUsage.aggregate({
    where: { teamId, day: { gte: since } },
    _sum: { runs: true, cost: true, tokens: true },
  });
  return { runs: _sum.runs ?? 0, cost: _sum.cost ?? 0, tokens: _sum.tokens ?? 0 };
}
