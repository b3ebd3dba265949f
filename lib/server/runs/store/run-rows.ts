import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import {
  type Payload,
  payloadSchema,
  type RunError,
  type RunEvent,
  type RunStatus,
  runErrorSchema,
  runEventSchema,
  runStatusSchema,
} from "@/lib/core/run/events/events";
import { noUsage, type Usage, usageSchema } from "@/lib/core/run/events/usage";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import type { Db } from "../../db";
import { readModelLines } from "./search-columns";

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
  /** From start to end, in milliseconds; null until it has ended. */
  durationMs: number | null;
  /** The name of the user who started it. */
  startedBy: string;
  /** The models that were asked, `provider:model`. */
  models: string[];
  /** How many warnings its steps have. */
  warnings: number;
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
  durationMs: number | null;
  startedBy: string;
  models: string;
  warnings: number;
  /** In characters, when `input` is only its beginning. */
  inputLength?: number;
}

export const emptyUsage = JSON.stringify(noUsage);
/** A text as lists and pages show it: its beginning, and how long it is; `length` where only a part of it was read. */
const cutText = (text: string, length = 0): Payload =>
  text.length > payloadLimit ? { text: text.slice(0, payloadLimit), length: Math.max(text.length, length) } : { text };

export function toSummary(row: RunRow): RunSummary {
  return {
    id: row.id,
    flowId: row.flowId,
    flowName: row.flowName,
    revision: row.revisionId,
    status: runStatusSchema.parse(row.status),
    input: cutText(row.input, row.inputLength),
    error: row.error === null ? null : parseJsonAs(row.error, runErrorSchema),
    usage: parseJsonAs(row.usage, usageSchema),
    simulated: row.simulated,
    createdAt: row.createdAt.getTime(),
    startedAt: row.startedAt?.getTime() ?? null,
    endedAt: row.endedAt?.getTime() ?? null,
    durationMs: row.durationMs,
    startedBy: row.startedBy,
    models: readModelLines(row.models),
    warnings: row.warnings,
  };
}

/** What a run's row holds of its answer; empty while it runs. */
export const readOutput = (text: string): Payload => (text === "" ? { text: "" } : parseJsonAs(text, payloadSchema));

const page = 2000;

/** Events after `after`, in order, at most `limit`. */
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
  return rows.map(({ body }) => parseJsonAs(body, runEventSchema));
}

/** The number of the first event at `at` or later, else of the last one. Times never decrease along the numbers, so halving finds it. */
export async function findFirstSeq(db: Pick<Db, "runEvent">, runId: string, moment: number): Promise<number> {
  const last = await db.runEvent.findFirst({ where: { runId }, orderBy: { seq: "desc" }, select: { seq: true } });
  let [low, high] = [1, last?.seq ?? 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const event = await db.runEvent.findUnique({ where: { runId_seq: { runId, seq: middle } }, select: { at: true } });
    if (event && event.at.getTime() < moment) low = middle + 1;
    else high = middle;
  }
  return low;
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
