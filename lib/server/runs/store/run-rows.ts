import "server-only";
import { z } from "zod";
import { findJsonAs, parseJsonAs } from "@/lib/core/flow/parse-json";
import {
  type Payload,
  payloadSchema,
  type RunError,
  type RunEvent,
  runErrorSchema,
  runEventSchema,
  runNodeKinds,
  runStatusSchema,
} from "@/lib/core/run/events/events";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { noUsage } from "@/lib/core/run/events/usage";
import { usageSchema } from "@/lib/core/run/events/usage-schema";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../../app-error";
import type { Permission } from "../../auth/permissions";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb, toReason } from "../../db";
import { waitForTurn } from "../../event-loop-turns";
import { logger } from "../../log/logger";
import { readModelLines } from "./search-columns";

/** As both databases answer: one has no type of its own for a moment and for a truth. */
export const momentSchema = z.union([z.null(), z.coerce.date()]);
/** The row of a run without its large texts; `input` is its beginning, `inputLength` its whole length in characters. */
export const listedRowSchema = z.object({
  id: z.string(),
  flowId: z.string(),
  flowName: z.string(),
  revisionId: z.string(),
  status: z.string(),
  input: z.string(),
  inputLength: z.coerce.number().optional(),
  error: z.string().nullable(),
  usage: z.string(),
  simulated: z.coerce.boolean(),
  createdAt: z.coerce.date(),
  startedAt: momentSchema,
  endedAt: momentSchema,
  startedBy: z.string(),
  durationMs: z.number().nullable(),
  models: z.string(),
  warnings: z.coerce.number(),
});

export const emptyUsage = JSON.stringify(noUsage);
/** A text as lists and pages show it: its beginning, and how long it is; `length` where only a part of it was read. */
const cutText = (text: string, length = 0): Payload =>
  text.length > payloadLimit ? { text: text.slice(0, payloadLimit), length: Math.max(text.length, length) } : { text };

/** A run as lists show it. Times are milliseconds since the epoch. `createdAt`: null where it cannot be read. */
export const toSummary = (row: Omit<z.infer<typeof listedRowSchema>, "createdAt"> & { createdAt: Date | null }) => ({
  id: row.id,
  flowId: row.flowId,
  flowName: row.flowName,
  revision: row.revisionId,
  status: runStatusSchema.parse(row.status),
  input: cutText(row.input, row.inputLength),
  error: row.error === null ? null : parseJsonAs(row.error, runErrorSchema),
  usage: parseJsonAs(row.usage, usageSchema),
  simulated: row.simulated,
  createdAt: row.createdAt?.getTime() ?? null,
  startedAt: row.startedAt?.getTime() ?? null,
  endedAt: row.endedAt?.getTime() ?? null,
  /** From start to end, in milliseconds; null until it has ended. */
  durationMs: row.durationMs,
  /** The name of the user who started it. */
  startedBy: row.startedBy,
  /** The models that were asked, `provider:model`. */
  models: readModelLines(row.models),
  /** How many warnings its steps have. */
  warnings: row.warnings,
});
export type RunSummary = ReturnType<typeof toSummary>;

/** The same row with a replacement for each column that does not fit its type. */
const readableRowSchema = z.object({
  id: z.string(),
  flowId: z.string().catch(""),
  flowName: z.string().catch(""),
  revisionId: z.string().catch(""),
  status: z.enum(runStatuses).catch("FAILED"),
  input: z.string().catch(""),
  inputLength: z.coerce.number().optional().catch(undefined),
  usage: z.string().catch(emptyUsage),
  simulated: z.coerce.boolean().catch(false),
  createdAt: z.coerce.date().nullable().catch(null),
  startedAt: momentSchema.catch(null),
  endedAt: momentSchema.catch(null),
  startedBy: z.string().catch(""),
  durationMs: z.number().nullable().catch(null),
  models: z.string().catch(""),
  warnings: z.coerce.number().catch(0),
});

/** The error of a run whose stored record cannot be read. */
export const unreadableRun: RunError = {
  code: "unreadable",
  message:
    "The stored record of this run is damaged and cannot be read. Start the run again. The log of the server has the reason.",
};

/** Throws AppError `unreadable` for a run whose moment of creation cannot be read: it has no place among the others. */
export function assertReadableMoment({ id, createdAt }: { id: string; createdAt: Date }): void {
  if (!Number.isNaN(createdAt.getTime())) return;
  logger.error({ run: id, field: "createdAt" }, "the row of a run cannot be read");
  throw new AppError("unreadable", unreadableRun.message);
}

/** A stored row as lists show it. One that cannot be read has the error `unreadable`, and what of it can be read. */
export function readSummary(row: unknown): RunSummary {
  try {
    return toSummary(listedRowSchema.parse(row));
  } catch (cause) {
    const readable = readableRowSchema.parse(row);
    const usage = findJsonAs(readable.usage, usageSchema) ? readable.usage : emptyUsage;
    const reason = cause instanceof z.core.$ZodError ? z.prettifyError(cause) : toReason(cause);
    logger.error({ run: readable.id, reason }, "the row of a run cannot be read");
    return { ...toSummary({ ...readable, usage, error: null }), error: unreadableRun };
  }
}

export const noSuchRun = (): AppError =>
  new AppError("not_found", "There is no such run, or your role does not allow this.");

/** What a run is, and how far it is. Throws AppError `not_found`, also for runs of other teams. */
export async function getRunHead(viewer: Viewer, id: string, permission: Permission = "runs:read") {
  const db = await getDb();
  const row = await db.run.findFirst({
    where: { id, ...isInFlowOf(viewer, permission) },
    select: {
      id: true,
      teamId: true,
      flowId: true,
      revisionId: true,
      flowName: true,
      status: true,
      createdAt: true,
      endedAt: true,
      forkedFrom: true,
      startedById: true,
      startedBy: true,
      ownKeys: true,
    },
  });
  if (!row) throw noSuchRun();
  return row;
}

/** What a run's row holds of its answer, for lists; empty where it cannot be read. */
export const findOutput = (text: string): Payload => findJsonAs(text, payloadSchema) ?? { text: "" };

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

/** Events that are read in one turn of the event loop. */
const foldedAtOnce = 500;

/** The state that all stored events of a run fold to, from an earlier one on. Other work of this process goes on in between. */
export async function readState(
  db: Pick<Db, "runEvent">,
  runId: string,
  earlier: RunState = emptyRunState,
): Promise<RunState> {
  let state = earlier;
  for (;;) {
    const events = await readEvents(db, runId, state.seq, foldedAtOnce);
    state = foldEvents(state, events);
    if (events.length < foldedAtOnce) return state;
    await waitForTurn("read");
  }
}

const kindSchema = z.enum(runNodeKinds);

/** The row of a step without its texts and facts. */
export type StepHeadRow = Pick<
  Awaited<ReturnType<Db["runNode"]["findUniqueOrThrow"]>>,
  "nodeId" | "parentId" | "path" | "kind" | "name" | "status" | "startedAt"
>;

/** What and where a stored step is, and when it began (`at`), in milliseconds since the epoch. */
export const toStepHead = (row: StepHeadRow) => ({
  id: row.nodeId,
  parent: row.parentId ?? undefined,
  path: row.path,
  kind: kindSchema.parse(row.kind),
  name: row.name,
  status: runStatusSchema.parse(row.status),
  at: row.startedAt.getTime(),
});
