import "server-only";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { isTriggerStarter } from "@/lib/core/run/events/run-starter";
import { storedNodeSchema } from "@/lib/core/trace/model/run-state";
import { type SpanFacts, type SpanRow, toSpanChanges, toSpanFacts } from "@/lib/core/trace/model/span-facts";
import { Trace } from "@/lib/core/trace/model/trace";
import { applyChanges, toBatch } from "@/lib/core/trace/model/trace-batch";
import { type TraceSnapshot, toTraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb, oneState } from "../../db";
import { waitForTurn } from "../../event-loop-turns";
import { hasEnded, readSpanRow, readStanding } from "../store/readable-rows";
import { assertReadableMoment, findFirstSeq, getRunHead, readEvents } from "../store/run-rows";
import { type RevisionAgents, readAgentsOfRevision } from "./revision-agents";
import { readRunVersions } from "./run-versions";

type TraceReader = Pick<Db, "run" | "runNode" | "runEvent">;

/** Steps that are read in one turn of the event loop. */
const pageSize = 500;

/**
 * All steps of a run without their texts, as far as they have come; running model calls have what they streamed.
 * Throws AppError `not_found`.
 */
export async function getTraceSnapshot(viewer: Viewer, runId: string): Promise<TraceSnapshot> {
  const db = await getDb();
  const run = await getRunHead(viewer, runId);
  const agents = await readAgentsOfRevision(db, run.revisionId);
  // What has ended never changes; of what goes on, steps and events must be of the same moment.
  const trace = hasEnded(run)
    ? await readTrace(db, runId, agents)
    : await db.$transaction((tx) => readTrace(tx, runId, agents), { ...oneState, timeout: 60_000 });
  await waitForTurn("read");
  const snapshot = toTraceSnapshot(trace);
  // Writing it as JSON takes about as long again.
  await waitForTurn("read");
  return snapshot;
}

/** More steps than this come after the page. */
const mostWithPage = 400;

/** What the page of a run begins with, and the runs of its flow before and after it. Throws AppError `not_found`, `unreadable`. */
export async function getShownRun(viewer: Viewer, runId: string) {
  const db = await getDb();
  const scope = isInFlowOf(viewer, "runs:read");
  const head = await getRunHead(viewer, runId);
  assertReadableMoment(head);
  const { id, teamId, flowId, flowName, createdAt, forkedFrom, revisionId, ...starter } = head;
  const trigger = isTriggerStarter(starter.startedById) ? starter.startedBy : null;
  const findBeside = async (side: "lt" | "gt") => {
    const beside = { OR: [{ createdAt: { [side]: createdAt } }, { createdAt, id: { [side]: id } }] };
    const order = side === "lt" ? "desc" : "asc";
    const where = { flowId, ...scope, ...beside };
    const neighbour = await db.run.findFirst({
      where,
      orderBy: [{ createdAt: order }, { id: order }],
      select: { id: true },
    });
    return neighbour?.id ?? null;
  };
  const [versions, steps, forks, previous, next] = await Promise.all([
    readRunVersions(db, [revisionId]),
    db.runNode.count({ where: { runId } }),
    db.run.count({ where: { forkedFrom: runId, ...scope } }),
    findBeside("lt"),
    findBeside("gt"),
  ]);
  const version = versions.get(revisionId);
  return {
    teamId,
    run: {
      ...{ id, flowId, flowName, createdAt: createdAt.getTime(), forkedFrom, forks, trigger },
      version: version ? { id: revisionId, ...version } : null,
    },
    structure: steps > mostWithPage ? null : await getTraceSnapshot(viewer, runId),
    previous,
    next,
  };
}

async function readTrace(
  db: TraceReader,
  runId: string,
  { declared: agents, placed: plan, settings }: RevisionAgents,
): Promise<Trace> {
  const run = await db.run.findUniqueOrThrow({
    where: { id: runId },
    select: { status: true, flowName: true, startedAt: true, endedAt: true, error: true, simulated: true },
  });
  const last = await db.runEvent.findFirst({ where: { runId }, orderBy: { seq: "desc" }, select: { seq: true } });
  const trace = new Trace({ agents });
  let openSince = Number.POSITIVE_INFINITY;
  for (let after = 0; ; after += pageSize) {
    if (after > 0) await waitForTurn("read");
    const rows = await readRows(db, runId, after);
    for (const row of rows) {
      applyChanges(trace, toSpanChanges(row));
      if (row.endedAt === undefined && row.kind === "llm_call") openSince = Math.min(openSince, row.at);
    }
    if (rows.length < pageSize) break;
  }
  trace.seq = last?.seq ?? 0;
  if (Number.isFinite(openSince)) await readLiveTexts(db, runId, trace, openSince);
  trace.setRun({
    ...readStanding({ id: runId, ...run }),
    flow: run.flowName,
    simulated: run.simulated,
    plan,
    settings,
    ...(run.startedAt ? { startedAt: run.startedAt.getTime() } : {}),
    ...(run.endedAt ? { endedAt: run.endedAt.getTime() } : {}),
  });
  return trace;
}

/** Steps with ids above `after`, a page of them. */
async function readRows(db: TraceReader, runId: string, after: number): Promise<SpanRow[]> {
  const where = { runId, nodeId: { gt: after, lte: after + pageSize } };
  const rows = await db.runNode.findMany({
    where,
    orderBy: { nodeId: "asc" },
    omit: { body: true },
  });
  const older = rows.some(({ facts }) => facts === "") ? await readOlderFacts(db, where) : null;
  return rows.map((row) => readSpanRow(row, older?.get(row.nodeId)));
}

/** Rows of older versions have their facts in their bodies alone. */
async function readOlderFacts(
  db: TraceReader,
  where: { runId: string; nodeId: { gt: number; lte: number } },
): Promise<Map<number, SpanFacts>> {
  const rows = await db.runNode.findMany({ where: { ...where, facts: "" }, select: { nodeId: true, body: true } });
  return new Map(
    rows.flatMap(({ nodeId, body }) => {
      const node = findJsonAs(body, storedNodeSchema);
      return node ? [[nodeId, toSpanFacts(node)] as const] : [];
    }),
  );
}

/** Gives the running model calls the text that they streamed since `since`. */
async function readLiveTexts(db: TraceReader, runId: string, trace: Trace, since: number): Promise<void> {
  let after = (await findFirstSeq(db, runId, since)) - 1;
  for (;;) {
    const events = await readEvents(db, runId, after);
    const last = events.at(-1);
    if (!last) return;
    const spoken = events.filter(({ type }) => /^(?:text\.appended|reasoning\.appended|attempt\.failed)$/.test(type));
    const { failed = [], texts } = toBatch(spoken) ?? {};
    // The attempts themselves are in the rows of their steps.
    for (const { id, waitMs } of failed) if (waitMs !== undefined) trace.texts.clear(id - 1);
    applyChanges(trace, { texts });
    after = last.seq;
  }
}
