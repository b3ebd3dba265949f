import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { humanInputAnswerSchema } from "@/lib/core/run/events/events";
import { type RunFileHead, toRunFileFrame } from "@/lib/core/trace/file/run-file";
import { hideAnswerers, type SharedTexts, toSharedHead, toSharedNode } from "@/lib/core/trace/file/shared-run";
import { SpanWriter, toFrame } from "@/lib/core/trace/otlp/to-trace";
import { recordAudit } from "../../audit/record-audit";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { readLayout } from "../../stored-layout";
import { findRunOutput } from "../store/payload-rows";
import { assertReadableMoment, getRunHead, noSuchRun, readOutput, toSummary } from "../store/run-rows";
import { readWholeNodes } from "../store/whole-nodes";

/** A text in pieces, and what to call the file. */
export interface ExportedRun {
  name: string;
  pieces: AsyncIterable<string>;
}

/** A run as OTLP/JSON; with `content` the texts of its steps go along. Throws AppError `not_found` before the first piece. */
export async function exportTrace(viewer: Viewer, id: string, { content }: { content: boolean }): Promise<ExportedRun> {
  const db = await getDb();
  const { endedAt, ...head } = await getRunHead(viewer, id);
  await recordExport(db, viewer, head, "otlp");
  const writer = new SpanWriter({ id, until: (endedAt ?? new Date()).getTime() }, { content });
  const pieces = joinPieces(toFrame(), readWholeNodes(db, id), (node) => JSON.stringify(writer.toSpan(node)), ",");
  return { name: `swarmloom-run-${id}.otlp.json`, pieces };
}

/** A run as one file that another instance opens: its flow, its steps and their whole texts. Throws AppError `not_found` before the first piece. */
export async function exportRunFile(viewer: Viewer, id: string): Promise<ExportedRun> {
  const db = await getDb();
  const row = await db.run.findFirst({
    where: { id, ...isInFlowOf(viewer, "runs:read") },
    include: { revision: revisionColumns },
  });
  if (!row) throw noSuchRun();
  assertReadableMoment(row);
  await recordExport(db, viewer, row, "file");
  const frame = toRunFileFrame(await toFileHead(db, row));
  const pieces = joinPieces(frame, readWholeNodes(db, id), (node) => JSON.stringify(node), ",\n");
  return { name: `swarmloom-run-${id}.json`, pieces };
}

/**
 * A run as the same kind of file, with the texts that are shared with everyone who has a link to it: who may see it is for
 * the caller to check. Throws AppError `not_found` before the first piece.
 */
export async function exportSharedRun(id: string, shown: SharedTexts): Promise<AsyncIterable<string>> {
  const db = await getDb();
  const row = await db.run.findUnique({ where: { id }, include: { revision: revisionColumns } });
  if (!row) throw noSuchRun();
  const frame = toRunFileFrame(toSharedHead(await toFileHead(db, row), shown));
  const names = await listAnswerers(db, row);
  const hide = (json: string): string => hideAnswerers(json, names);
  const pieces = readWholeNodes(db, id);
  const shownFrame = { head: hide(frame.head), tail: hide(frame.tail) };
  return joinPieces(shownFrame, pieces, (node) => hide(JSON.stringify(toSharedNode(node, shown))), ",\n");
}

/** The names of those who answered questions of a run, or of those that it continues. */
async function listAnswerers(db: Db, { id, forkedFrom }: { id: string; forkedFrom: string | null }): Promise<string[]> {
  const runIds = new Set([id]);
  for (let next = forkedFrom; next !== null && !runIds.has(next); ) {
    runIds.add(next);
    const run = await db.run.findUnique({ where: { id: next }, select: { forkedFrom: true } });
    next = run?.forkedFrom ?? null;
  }
  const answers = await db.runAnswer.findMany({ where: { runId: { in: [...runIds] } }, select: { body: true } });
  return [...new Set(answers.map(({ body }) => parseJsonAs(body, humanInputAnswerSchema).by))];
}

const revisionColumns = { select: { source: true, layout: true } } as const;

type RunRow = Parameters<typeof toSummary>[0] & {
  createdAt: Date;
  output: string;
  revision: { source: string; layout: string };
};

async function toFileHead(db: Db, row: RunRow): Promise<RunFileHead> {
  const { id, flowName, status, error, usage, simulated, startedAt, endedAt } = toSummary(row);
  const output = await readWholeOutput(db, id, row.output);
  const run = { id, flowName, status, input: { text: row.input }, output, error, usage, simulated };
  return {
    run: { ...run, createdAt: row.createdAt.getTime(), startedAt, endedAt },
    source: row.revision.source,
    layout: readLayout(row.revision.layout),
  };
}

const recordExport = (
  db: Db,
  viewer: Viewer,
  { id, teamId, flowName }: { id: string; teamId: string; flowName: string },
  format: "file" | "otlp",
): Promise<void> =>
  recordAudit(db, viewer, {
    teamId,
    action: "run.exported",
    object: { type: "run", id, name: flowName },
    detail: { format },
  });

async function readWholeOutput(db: Db, runId: string, stored: string): Promise<{ text: string }> {
  const { text, length } = readOutput(stored);
  if (length === undefined) return { text };
  return { text: (await findRunOutput(db, runId)) ?? text };
}

/** Least length of a piece but the last, in UTF-16 units. */
const pieceLength = 65_536;

async function* joinPieces<Item>(
  { head, tail }: { head: string; tail: string },
  items: AsyncIterable<Item>,
  toPiece: (item: Item) => string,
  separator: string,
): AsyncGenerator<string> {
  let chunk = head;
  let between = "";
  for await (const item of items) {
    chunk += between + toPiece(item);
    between = separator;
    if (chunk.length < pieceLength) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + tail;
}
