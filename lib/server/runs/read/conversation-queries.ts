import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { type RunEvent, runEventSchema } from "@/lib/core/run/events/events";
import {
  type ConversationEntry,
  type ConversationPage,
  entryAtEnd,
  entryAtStart,
  entryOfAnswer,
  entryOfMessage,
  entryOfQuestion,
  firstEntryAt,
  type NewConversationEntry,
} from "@/lib/core/trace/conversation/conversation-entries";
import { type RunNode, storedNodeSchema } from "@/lib/core/trace/model/run-state";
import { AppError } from "../../app-error";
import type { Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { findFirstSeq, getRunHead } from "../store/run-rows";

/** After a position, before it, or around the first entry of a step; `next` of a page before the end continues the run. */
export type ConversationQuery = { after: number } | { before: number } | { node: number };

/** Events that give entries. Streamed text comes with the end of its step. */
const types = ["node.started", "node.finished", "message.injected", "answer.requested", "answer.given"];

/** Events that are looked at together; each holds the beginning of a text. */
const batch = 100;

/**
 * At most `limit` turns of a run. A turn has the number of its event, so none is told twice and none is left out while the run
 * goes on. Throws AppError `not_found`.
 */
export async function listConversation(
  viewer: Viewer,
  runId: string,
  query: ConversationQuery & { limit: number },
): Promise<ConversationPage> {
  const db = await getDb();
  await getRunHead(viewer, runId);
  const { limit } = query;
  if ("after" in query) return readAfter(db, runId, query.after, limit);
  if ("before" in query) return readBefore(db, runId, query.before, limit);
  const stepSeq = await findSeqBefore(db, runId, query.node);
  const before = await readBefore(db, runId, stepSeq, Math.floor(limit / 4));
  const after = await readAfter(db, runId, stepSeq, limit - before.turns.length);
  return { ...after, turns: [...before.turns, ...after.turns], previous: before.previous, earlier: before.earlier };
}

async function readAfter(db: Db, runId: string, after: number, limit: number): Promise<ConversationPage> {
  const turns: ConversationEntry[] = [];
  const ends = { previous: after, earlier: after > 0 };
  for (let next = after; ; ) {
    const events = await readEntryEvents(db, runId, { gt: next }, "asc");
    for (const { seq, entry } of await toEntries(db, runId, events)) {
      if (turns.length === limit) return { ...ends, turns, next, more: true };
      if (entry) turns.push({ ...entry, id: seq });
      next = seq;
    }
    if (events.length < batch) return { ...ends, turns, next, more: false };
  }
}

async function readBefore(db: Db, runId: string, before: number, limit: number): Promise<ConversationPage> {
  const turns: ConversationEntry[] = [];
  let next: number | null = null;
  for (let previous = before; ; ) {
    const events = await readEntryEvents(db, runId, { lte: previous }, "desc");
    next ??= events[0]?.seq ?? 0;
    for (const { seq, entry } of await toEntries(db, runId, events)) {
      if (turns.length === limit) return { turns: turns.reverse(), previous, next, earlier: true, more: false };
      if (entry) turns.push({ ...entry, id: seq });
      previous = seq - 1;
    }
    if (events.length < batch) return { turns: turns.reverse(), previous: 0, next, earlier: false, more: false };
  }
}

/** The place before the first word of a step. Throws AppError `not_found`. */
async function findSeqBefore(db: Db, runId: string, nodeId: number): Promise<number> {
  const node = await db.runNode.findUnique({
    where: { runId_nodeId: { runId, nodeId } },
    select: { kind: true, startedAt: true, endedAt: true },
  });
  if (!node) throw new AppError("not_found", "There is no such step in this run.");
  const { kind, startedAt, endedAt } = node;
  const time = firstEntryAt({ kind, startedAt: startedAt.getTime(), endedAt: endedAt?.getTime() });
  const [firstSeq, lastSeq] = [await findFirstSeq(db, runId, time), await findFirstSeq(db, runId, time + 1)];
  // Of what happened in the same millisecond.
  const rows = await db.runEvent.findMany({
    where: { runId, seq: { gte: firstSeq, lte: lastSeq }, type: { in: types }, body: { contains: `"id":${nodeId}` } },
    orderBy: { seq: "asc" },
    select: { body: true },
  });
  const nodeEvent = rows
    .map(({ body }) => parseJsonAs(body, runEventSchema))
    .find((event) => "id" in event && event.id === nodeId);
  return (nodeEvent?.seq ?? firstSeq) - 1;
}

async function readEntryEvents(
  db: Db,
  runId: string,
  seq: { gt: number } | { lte: number },
  order: "asc" | "desc",
): Promise<RunEvent[]> {
  const rows = await db.runEvent.findMany({
    where: { runId, seq, type: { in: types } },
    orderBy: { seq: order },
    take: batch,
    select: { body: true },
  });
  return rows.map(({ body }) => parseJsonAs(body, runEventSchema));
}

/** The entry of each event; null: it has none. */
async function toEntries(
  db: Db,
  runId: string,
  events: readonly RunEvent[],
): Promise<{ seq: number; entry: NewConversationEntry | null }[]> {
  const nodes = await readNodes(db, runId, events);
  return events.map((event) => {
    const node = "id" in event ? nodes.get(event.id) : undefined;
    return { seq: event.seq, entry: node ? toEntry(event, node) : null };
  });
}

/** The steps that some events are about. */
async function readNodes(db: Db, runId: string, events: readonly RunEvent[]): Promise<Map<number, RunNode>> {
  const ids = new Set(events.flatMap((event) => ("id" in event ? [event.id] : [])));
  const rows = await db.runNode.findMany({ where: { runId, nodeId: { in: [...ids] } }, select: { body: true } });
  const nodes = rows.map(({ body }) => parseJsonAs(body, storedNodeSchema));
  return new Map(nodes.map((node) => [node.id, node]));
}

function toEntry(event: RunEvent, node: RunNode): NewConversationEntry | null {
  switch (event.type) {
    case "node.started":
      return entryAtStart(node);
    case "node.finished":
      return entryAtEnd(node);
    case "message.injected":
      return entryOfMessage(node, event);
    case "answer.requested":
      return entryOfQuestion(node, { ...event.request, at: event.at });
    case "answer.given":
      return entryOfAnswer(node, { ...event.answer, at: event.at });
    default:
      return null;
  }
}
