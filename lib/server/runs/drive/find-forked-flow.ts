import "server-only";
import type { Flow } from "@/lib/core/flow/flow";
import type { ReadingTurn } from "../../cpu-worker/read-flow-text";
import type { Db } from "../../db";
import { readRevision } from "../store/flow-cache";

/**
 * The flow of the nearest run that a fork continues, directly or through other forks, and that ran another revision.
 * Undefined: there is none, or it was deleted, which a run is not while a fork of it has not ended.
 */
export async function findForkedFlow(
  db: Pick<Db, "run">,
  { revisionId, forkedFrom }: { revisionId: string; forkedFrom: string | null },
  turn: ReadingTurn,
): Promise<Flow | undefined> {
  const seen = new Set<string>();
  for (let id = forkedFrom; id !== null && !seen.has(id); ) {
    seen.add(id);
    const select = { revisionId: true, forkedFrom: true, revision: { select: { source: true } } } as const;
    const run: ForkedRun | null = await db.run.findUnique({ where: { id }, select });
    if (run && run.revisionId !== revisionId) return readRevision(run.revisionId, run.revision.source, turn);
    id = run?.forkedFrom ?? null;
  }
  return undefined;
}

interface ForkedRun {
  revisionId: string;
  forkedFrom: string | null;
  revision: { source: string };
}
