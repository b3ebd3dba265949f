import "server-only";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AppError } from "../app-error";
import type { Db } from "../db";
import { logger } from "../log/logger";
import { readOutline } from "./flow-rows";
import type { FlowOutline } from "./outline/flow-outline";
import { emptyLargePictures } from "./stored-pictures";

const batchSize = 20;

/** Fills what lists need into rows that an older version wrote, in the background. */
export function startFillingRows(db: Db): void {
  refillRows(db).catch((error: unknown) =>
    logger.error({ err: error }, "drawing the flows of an older version failed"),
  );
}

async function refillRows(db: Db): Promise<void> {
  await emptyLargePictures(db);
  await fillRows(db);
}

/** Reads the texts of flows without a search text and writes their columns; a flow that is saved meanwhile has its own. */
export async function fillRows(db: Db): Promise<number> {
  let filled = 0;
  for (let after = ""; ; ) {
    const flows = await db.flow.findMany({
      where: { search: "", id: { gt: after }, revisionId: { not: null } },
      orderBy: { id: "asc" },
      take: batchSize,
      select: { id: true, teamId: true, revisionId: true },
    });
    for (const { id, teamId, revisionId } of flows) {
      const head = await db.revision.findUnique({ where: { id: revisionId ?? "" }, select: { source: true } });
      if (!head) continue;
      const outline = await findOutline(head.source, teamId);
      if (!outline) continue;
      const { count } = await db.flow.updateMany({
        where: { id, revisionId },
        data: outline,
      });
      filled += count;
      await nextTurn();
    }
    const last = flows.at(-1);
    if (!last) return filled;
    after = last.id;
  }
}

/** Null for a text that cannot be read: the other flows are drawn nevertheless. */
async function findOutline(source: string, teamId: string): Promise<FlowOutline | null> {
  try {
    return (await readOutline(source, { teamId, isAtStart: true })).outline;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
