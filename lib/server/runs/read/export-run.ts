import "server-only";
import { type RunFileHead, toRunFileFrame } from "@/lib/core/trace/file/run-file";
import { SpanWriter, toFrame } from "@/lib/core/trace/otlp/to-trace";
import { recordAudit } from "../../audit/record-audit";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { type Db, getDb } from "../../db";
import { readLayout } from "../../stored-layout";
import { findRunOutput } from "../store/payload-rows";
import { getRunHead, noSuchRun, readOutput, toSummary } from "../store/run-rows";
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
    include: { revision: { select: { source: true, layout: true } } },
  });
  if (!row) throw noSuchRun();
  await recordExport(db, viewer, row, "file");
  const { flowName, status, error, usage, simulated, createdAt, startedAt, endedAt } = toSummary(row);
  const output = await readWholeOutput(db, id, row.output);
  const run = { id, flowName, status, input: { text: row.input }, output, error, usage, simulated };
  const head: RunFileHead = {
    run: { ...run, createdAt, startedAt, endedAt },
    source: row.revision.source,
    layout: readLayout(row.revision.layout),
  };
  const pieces = joinPieces(toRunFileFrame(head), readWholeNodes(db, id), (node) => JSON.stringify(node), ",\n");
  return { name: `swarmloom-run-${id}.json`, pieces };
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
