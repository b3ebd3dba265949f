import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { runErrorSchema, runEventSchema, runStatusSchema } from "@/lib/core/run/events/events";
import { usageSchema } from "@/lib/core/run/events/usage-schema";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import type { Db } from "../../db";
import { waitForTurn } from "../../event-loop-turns";
import { readStoredNode, storedNodeColumns } from "../store/readable-rows";
import { readOutput, readState } from "../store/run-rows";

/** Steps that are read in one turn of the event loop. */
const page = 250;

type RunRow = Awaited<ReturnType<Db["run"]["findUniqueOrThrow"]>>;

/** The state of a run without its steps. */
export type RunStateHead = Omit<RunState, "nodes">;

/** The state of a run that has ended, by its rows: of its events, however many, only the first and the last are read. */
export async function readEndedState(db: Pick<Db, "runEvent">, run: RunRow): Promise<RunStateHead> {
  const where = { runId: run.id };
  const [first, last] = await Promise.all([
    db.runEvent.findFirst({ where, orderBy: { seq: "asc" }, select: { body: true } }),
    db.runEvent.findFirst({ where, orderBy: { seq: "desc" }, select: { seq: true } }),
  ]);
  const start = first && parseJsonAs(first.body, runEventSchema);
  // A run that ended before it began has few events.
  if (!last || start?.type !== "run.started") return toHead(await readState(db, run.id));
  return {
    status: runStatusSchema.parse(run.status),
    seq: last.seq,
    flow: start.flow,
    input: start.input,
    output: readOutput(run.output),
    startedAt: start.at,
    ...(run.endedAt && { endedAt: run.endedAt.getTime() }),
    usage: parseJsonAs(run.usage, usageSchema),
    ...(run.error !== null && { error: parseJsonAs(run.error, runErrorSchema) }),
    simulated: run.simulated,
    ...(start.parameters && { parameters: start.parameters }),
    ...(run.epoch > 1 && (await readResumes(db, run.id))),
    waiting: 0,
    warnings: run.warnings,
  };
}

export function toHead({ nodes: _, ...head }: RunState): RunStateHead {
  return head;
}

/** Only a run with a second epoch has any: nothing else makes the events of a type be searched. */
async function readResumes(db: Pick<Db, "runEvent">, runId: string): Promise<Pick<RunState, "resumedAt">> {
  const where = { runId, type: "run.resumed" };
  const rows = await db.runEvent.findMany({ where, orderBy: { seq: "asc" }, select: { at: true } });
  return rows.length > 0 ? { resumedAt: rows.map(({ at }) => at.getTime()) } : {};
}

/** The steps of a run by their rows, in pages; of those that have not ended the rows lack the text that is being streamed. */
export async function* readStoredNodes(db: Pick<Db, "runNode">, runId: string): AsyncGenerator<readonly RunNode[]> {
  for (let after = 0; ; ) {
    const where = { runId, nodeId: { gt: after } };
    const rows = await db.runNode.findMany({
      where,
      orderBy: { nodeId: "asc" },
      take: page,
      select: storedNodeColumns,
    });
    const nodes = rows.map(readStoredNode);
    if (nodes.length > 0) yield nodes;
    if (rows.length < page) return;
    after = nodes.at(-1)?.id ?? after;
    // Other requests are answered in between.
    await waitForTurn("read");
  }
}
