import "server-only";
import { type RunEvent, runEventSchema } from "@/lib/core/run/events";
import type { RunNode } from "@/lib/core/trace/run-state";
import {
  type Said,
  type Turn,
  turnAtEnd,
  turnAtStart,
  turnOfAnswer,
  turnOfMessage,
  turnOfQuestion,
} from "@/lib/core/trace/turns";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";

/** Turns of a run behind some place, in order. */
export interface TurnPage {
  turns: readonly Turn[];
  /** The place behind these turns, for asking on; the place that was asked from when there is nothing new. */
  next: number;
  /** Whether there are more already. */
  more: boolean;
}

/** Events in which something is said. Words on their way come with the end of their step. */
const types = ["node.started", "node.finished", "message.injected", "answer.requested", "answer.given"];

/** Events that are looked at together; each holds the beginning of a text. */
const batch = 100;

/**
 * At most `limit` turns of a run behind `after`, the `next` of a page before; 0 is the beginning. A turn has the number of
 * its event, so none is told twice and none is left out while the run goes on. Throws AppError `not_found`.
 */
export async function listTurns(
  viewer: Viewer,
  runId: string,
  { after, limit }: { after: number; limit: number },
): Promise<TurnPage> {
  const db = await getDb();
  const run = await db.run.findFirst({ where: { id: runId, ...inTeamsOf(viewer) }, select: { id: true } });
  if (!run) throw new AppError("not_found", "There is no such run.");
  const turns: Turn[] = [];
  for (let next = after; ; ) {
    const events = await readSpeaking(db, runId, next);
    const nodes = await readNodes(db, runId, events);
    for (const event of events) {
      if (turns.length === limit) return { turns, next, more: true };
      const node = "id" in event ? nodes.get(event.id) : undefined;
      const said = node && toSaid(event, node);
      if (said) turns.push({ ...said, id: event.seq });
      next = event.seq;
    }
    if (events.length < batch) return { turns, next, more: false };
  }
}

async function readSpeaking(db: Db, runId: string, after: number): Promise<RunEvent[]> {
  const rows = await db.runEvent.findMany({
    where: { runId, seq: { gt: after }, type: { in: types } },
    orderBy: { seq: "asc" },
    take: batch,
    select: { body: true },
  });
  return rows.map(({ body }) => runEventSchema.parse(JSON.parse(body)));
}

/** The steps that some events are about. */
async function readNodes(db: Db, runId: string, events: readonly RunEvent[]): Promise<Map<number, RunNode>> {
  const ids = new Set(events.flatMap((event) => ("id" in event ? [event.id] : [])));
  const rows = await db.runNode.findMany({ where: { runId, nodeId: { in: [...ids] } }, select: { body: true } });
  const nodes = rows.map(({ body }): RunNode => JSON.parse(body));
  return new Map(nodes.map((node) => [node.id, node]));
}

function toSaid(event: RunEvent, node: RunNode): Said | null {
  switch (event.type) {
    case "node.started":
      return turnAtStart(node);
    case "node.finished":
      return turnAtEnd(node);
    case "message.injected":
      return turnOfMessage(node, event);
    case "answer.requested":
      return turnOfQuestion(node, { ...event.request, at: event.at });
    case "answer.given":
      return turnOfAnswer(node, { ...event.answer, at: event.at });
    default:
      return null;
  }
}
