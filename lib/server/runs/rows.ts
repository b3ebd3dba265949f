import "server-only";
import {
  type Payload,
  payloadSchema,
  type RunError,
  type RunEvent,
  type RunStatus,
  runErrorSchema,
  runEventSchema,
  runStatusSchema,
} from "@/lib/core/run/events";
import { noUsage, type Usage, usageSchema } from "@/lib/core/run/usage";
import { emptyRunState, foldEvents } from "@/lib/core/trace/fold";
import type { RunState } from "@/lib/core/trace/run-state";
import type { Db } from "../db";
import { payloadLimit } from "./payloads";

/** A run as lists show it. Times are milliseconds since the epoch. */
export interface RunSummary {
  id: string;
  flowId: string;
  flowName: string;
  revision: string;
  status: RunStatus;
  input: Payload;
  error: RunError | null;
  usage: Usage;
  simulated: boolean;
  createdAt: number;
  startedAt: number | null;
  endedAt: number | null;
}

interface RunRow {
  id: string;
  flowId: string;
  flowName: string;
  revisionId: string;
  status: string;
  input: string;
  error: string | null;
  usage: string;
  simulated: boolean;
  createdAt: Date;
  startedAt: Date | null;
  endedAt: Date | null;
}

export const emptyUsage = JSON.stringify(noUsage);
const cutText = (text: string): Payload =>
  text.length > payloadLimit ? { text: text.slice(0, payloadLimit), length: text.length } : { text };

export function toSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    flowId: row.flowId,
    flowName: row.flowName,
    revision: row.revisionId,
    status: runStatusSchema.parse(row.status),
    input: cutText(row.input),
    error: row.error === null ? null : runErrorSchema.parse(JSON.parse(row.error)),
    usage: usageSchema.parse(JSON.parse(row.usage)),
    simulated: row.simulated,
    createdAt: row.createdAt.getTime(),
    startedAt: row.startedAt?.getTime() ?? null,
    endedAt: row.endedAt?.getTime() ?? null,
  };
}

/** What a run's row holds of its answer; empty while it runs. */
export const readOutput = (text: string): Payload =>
  text === "" ? { text: "" } : payloadSchema.parse(JSON.parse(text));

const readEvent = (body: string): RunEvent => runEventSchema.parse(JSON.parse(body));

const page = 2000;

/** Events behind `after`, in order, at most `limit`. */
export async function readEvents(
  db: Pick<Db, "runEvent">,
  runId: string,
  after: number,
  limit = page,
): Promise<RunEvent[]> {
  const rows = await db.runEvent.findMany({
    where: { runId, seq: { gt: after } },
    orderBy: { seq: "asc" },
    take: Math.min(limit, page),
    select: { body: true },
  });
  return rows.map(({ body }) => readEvent(body));
}

/** The state that all stored events of a run fold to. */
export async function readState(db: Pick<Db, "runEvent">, runId: string): Promise<RunState> {
  let state = emptyRunState;
  for (;;) {
    const events = await readEvents(db, runId, state.seq);
    if (events.length === 0) return state;
    state = foldEvents(state, events);
  }
}
