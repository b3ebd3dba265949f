import "server-only";
import type { Payload, RunEvent, RunStatus } from "@/lib/core/run/events";
import { findNode } from "@/lib/core/trace/fold";
import type { RunNode, RunState } from "@/lib/core/trace/run-state";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { type RunSummary, readEvents, readOutput, readState, toSummary } from "./rows";

export type { RunSummary } from "./rows";

export type RunDetail = RunSummary & { output: Payload; state: RunState };
/** A node with its texts whole. */
export type RunNodeDetail = RunNode;

const notFound = (): AppError => new AppError("not_found", "There is no such run.");
const summaryFields = {
  id: true,
  flowId: true,
  flowName: true,
  revisionId: true,
  status: true,
  input: true,
  error: true,
  usage: true,
  simulated: true,
  createdAt: true,
  startedAt: true,
  endedAt: true,
} as const;

/** The viewer's runs, newest first, without their texts; `next` is the `before` of the following page. */
export async function listRuns(
  viewer: Viewer,
  filter: {
    id?: string | undefined;
    flowId?: string | undefined;
    status?: RunStatus | undefined;
    before?: string | undefined;
    limit?: number | undefined;
  } = {},
): Promise<{ runs: RunSummary[]; next: string | null }> {
  const db = await getDb();
  const limit = Math.min(Math.max(filter.limit ?? 50, 1), 200);
  const cursor = filter.before === undefined ? null : readCursor(filter.before);
  const rows = await db.run.findMany({
    where: {
      ...inTeamsOf(viewer),
      ...(filter.id === undefined ? {} : { id: filter.id }),
      ...(filter.flowId === undefined ? {} : { flowId: filter.flowId }),
      ...(filter.status === undefined ? {} : { status: filter.status }),
      ...(cursor ? { OR: [{ createdAt: { lt: cursor.at } }, { createdAt: cursor.at, id: { lt: cursor.id } }] } : {}),
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit + 1,
    select: summaryFields,
  });
  const runs = rows.slice(0, limit).map(toSummary);
  const last = runs.at(-1);
  return { runs, next: rows.length > limit && last ? `${last.createdAt}_${last.id}` : null };
}

function readCursor(text: string): { at: Date; id: string } {
  const [at, ...rest] = text.split("_");
  const time = Number(at);
  if (!Number.isSafeInteger(time) || rest.length === 0)
    throw new AppError("bad_request", "`before` is not a place in this list.");
  return { at: new Date(time), id: rest.join("_") };
}

/** Throws AppError `not_found`, also for runs of other teams. */
export async function getRun(viewer: Viewer, id: string): Promise<RunDetail> {
  const db = await getDb();
  return db.$transaction(async (tx) => {
    const row = await tx.run.findFirst({ where: { id, ...inTeamsOf(viewer) } });
    if (!row) throw notFound();
    const state = await readState(tx, id);
    return { ...toSummary(row), output: row.output === "" ? state.output : readOutput(row.output), state };
  });
}

/** One node with its messages, request and answer whole. Throws AppError `not_found`. */
export async function getRunNode(viewer: Viewer, runId: string, nodeId: number): Promise<RunNodeDetail> {
  const db = await getDb();
  const run = await db.run.findFirst({ where: { id: runId, ...inTeamsOf(viewer) }, select: { id: true } });
  const node = run && (await findStoredNode(db, runId, nodeId));
  if (!node) throw new AppError("not_found", "There is no such step in this run.");
  const payloads = await db.runPayload.findMany({ where: { runId, nodeId } });
  const whole = (field: string, otherwise: Payload): Payload => {
    const found = payloads.find((payload) => payload.field === field);
    return found ? { text: found.body } : otherwise;
  };
  const { request } = node;
  return {
    ...node,
    input: whole("input", node.input),
    output: whole("output", node.output),
    ...(request ? { request: { ...request, body: whole("request", request.body) } } : {}),
  };
}

/** A step that has ended is read from its row; what one that still runs has said stands in the events alone. */
async function findStoredNode(db: Db, runId: string, nodeId: number): Promise<RunNode | undefined> {
  const row = await db.runNode.findUnique({ where: { runId_nodeId: { runId, nodeId } } });
  if (row?.endedAt) return JSON.parse(row.body);
  return row ? findNode(await readState(db, runId), nodeId) : undefined;
}

/** Events behind `afterSeq`, in order. Throws AppError `not_found`. */
export async function listRunEvents(
  viewer: Viewer,
  runId: string,
  afterSeq: number,
  limit: number,
): Promise<RunEvent[]> {
  const db = await getDb();
  const run = await db.run.findFirst({ where: { id: runId, ...inTeamsOf(viewer) }, select: { id: true } });
  if (!run) throw notFound();
  return readEvents(db, runId, afterSeq, limit);
}
