import "server-only";
import type { Layout } from "@/lib/core/flow/edit";
import { findNode } from "@/lib/core/trace/model/fold-events";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import { type TextField, textOf, truncateNodeTexts } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../../app-error";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { readLayout } from "../../stored-layout";
import { findPayload } from "../store/payload-rows";
import { hasEnded as hasRunEnded, readStoredNode, storedNodeColumns } from "../store/readable-rows";
import { getRunHead, noSuchRun, readEvents, readState } from "../store/run-rows";
import { toWhole } from "../store/whole-nodes";

export type { RunSummary } from "../store/run-rows";
export { getRun, type RunDetail } from "./run-detail";

/** A revision as it is drawn. */
export interface RunFlow {
  source: string;
  layout: Layout;
}

/** What a run runs: its flow as it was saved when it started. Throws AppError `not_found`, also for runs of other teams. */
export async function getRunFlow(viewer: Viewer, runId: string): Promise<RunFlow> {
  const db = await getDb();
  const run = await db.run.findFirst({
    where: { id: runId, ...isInFlowOf(viewer, "runs:read") },
    select: { revision: { select: { source: true, layout: true } } },
  });
  if (!run) throw noSuchRun();
  return { source: run.revision.source, layout: readLayout(run.revision.layout) };
}

/** One node with its texts and facts whole. Throws AppError `not_found`. */
export async function getRunNode(viewer: Viewer, runId: string, nodeId: number): Promise<RunNode> {
  const db = await getDb();
  return toWhole(db, runId, await findNodeOf(db, viewer, runId, nodeId));
}

/** One node with its texts cut to their beginning: nothing that is stored beside it is read. Throws AppError `not_found`. */
export async function getCutNode(viewer: Viewer, runId: string, nodeId: number): Promise<RunNode> {
  return truncateNodeTexts(await findNodeOf(await getDb(), viewer, runId, nodeId));
}

/** The whole of one text of a node, however long. Throws AppError `not_found`. */
export async function getNodeText(viewer: Viewer, runId: string, nodeId: number, field: TextField): Promise<string> {
  const db = await getDb();
  const payload = textOf(await findNodeOf(db, viewer, runId, nodeId), field);
  if (payload.length === undefined) return payload.text;
  return (await findPayload(db, runId, nodeId, field)) ?? payload.text;
}

async function findNodeOf(db: Db, viewer: Viewer, runId: string, nodeId: number): Promise<RunNode> {
  const run = await db.run.findFirst({
    where: { id: runId, ...isInFlowOf(viewer, "runs:read") },
    select: { id: true },
  });
  const node = run && (await findStoredNode(db, runId, nodeId));
  if (!node) throw new AppError("not_found", "There is no such step in this run.");
  return node;
}

/** A step that has ended is read from its row; the text of one that still runs is in the events alone. */
async function findStoredNode(db: Db, runId: string, nodeId: number): Promise<RunNode | undefined> {
  const row = await db.runNode.findUnique({
    where: { runId_nodeId: { runId, nodeId } },
    select: storedNodeColumns,
  });
  if (row?.endedAt) return readStoredNode(row);
  return row ? findNode(await readState(db, runId), nodeId) : undefined;
}

/** Events after `afterSeq`, in order; `hasEnded`: the run had before they were read, so no others follow. Throws AppError `not_found`. */
export async function readRunEvents(viewer: Viewer, runId: string, afterSeq: number, limit: number) {
  const { status } = await getRunHead(viewer, runId);
  const events = await readEvents(await getDb(), runId, afterSeq, limit);
  const hasEnded = hasRunEnded({ status });
  // A run that was deleted in between has no events, and has not come to its last one.
  if (hasEnded && events.length === 0) await getRunHead(viewer, runId);
  return { events, hasEnded };
}
