import "server-only";
import { recordAudit, toTeamObject } from "../../audit/record-audit";
import { isInFlowOf, requireTeam, type Viewer } from "../../auth/viewer";
import { type CsvCell, toCsvLine } from "../../csv";
import { getDb } from "../../db";
import { findOutput, type RunSummary } from "../store/run-rows";
import { longestPage, readPage } from "./list-runs";
import type { RunQuery } from "./run-conditions";

const columns: readonly { name: string; of(run: RunSummary, output: string): CsvCell }[] = [
  { name: "run", of: ({ id }) => id },
  { name: "flow", of: ({ flowName }) => flowName },
  { name: "flow_id", of: ({ flowId }) => flowId },
  { name: "revision", of: ({ revision }) => revision },
  { name: "status", of: ({ status }) => status },
  { name: "created", of: ({ createdAt }) => toIso(createdAt) },
  { name: "started", of: ({ startedAt }) => toIso(startedAt) },
  { name: "ended", of: ({ endedAt }) => toIso(endedAt) },
  { name: "duration_ms", of: ({ durationMs }) => durationMs },
  { name: "started_by", of: ({ startedBy }) => startedBy },
  { name: "models", of: ({ models }) => models.join(" ") },
  { name: "model_calls", of: ({ usage }) => usage.calls },
  { name: "input_tokens", of: ({ usage }) => usage.input },
  { name: "output_tokens", of: ({ usage }) => usage.output },
  { name: "cached_tokens", of: ({ usage }) => usage.cached },
  { name: "reasoning_tokens", of: ({ usage }) => usage.reasoning },
  { name: "tokens_estimated", of: ({ usage }) => usage.estimated },
  { name: "cost_usd", of: ({ usage }) => usage.cost },
  { name: "cost_is_partial", of: ({ usage }) => usage.isCostPartial ?? false },
  { name: "simulated", of: ({ simulated }) => simulated },
  { name: "warnings", of: ({ warnings }) => warnings },
  { name: "error", of: ({ error }) => error?.code ?? null },
  { name: "error_message", of: ({ error }) => error?.message ?? null },
  { name: "input", of: ({ input }) => input.text },
  { name: "output", of: (_, output) => output },
];

const toIso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());

/**
 * The viewer's runs that a filter means, newest first, as a CSV file for spreadsheets: RFC 4180, UTF-8 with a byte order
 * mark, one head line. An unknown cost is an empty cell, a partial one what is known of it; of long inputs and outputs there are the first 16,384 characters.
 * Read page by page, as fast as the reader takes it. Throws AppError as `requireTeam` does.
 */
export async function exportRuns(viewer: Viewer, query: RunQuery): Promise<ReadableStream<Uint8Array>> {
  const teamId = requireTeam(viewer, "runs:read");
  const object = toTeamObject(teamId);
  await recordAudit(await getDb(), viewer, { teamId, action: "runs.exported", object, detail: { format: "csv" } });
  const encoder = new TextEncoder();
  const now = Date.now();
  const read = (last?: RunSummary) =>
    readPage(viewer, query, {
      cursor: last ? { at: last.createdAt === null ? null : new Date(last.createdAt), id: last.id } : null,
      size: longestPage,
      now,
    });
  // What is wrong with the question is known before the answer begins.
  let runs = await read();
  let head = `\uFEFF${toCsvLine(columns.map(({ name }) => name))}`;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const outputs = await readOutputs(viewer, runs);
      const lines = runs.map((run) => toCsvLine(columns.map((column) => column.of(run, outputs.get(run.id) ?? ""))));
      controller.enqueue(encoder.encode(head + lines.join("")));
      head = "";
      const last = runs.at(-1);
      runs = last && runs.length === longestPage ? await read(last) : [];
      if (runs.length === 0) controller.close();
    },
  });
}

/** What the runs answered, by their ids. */
async function readOutputs(viewer: Viewer, runs: readonly RunSummary[]): Promise<Map<string, string>> {
  const db = await getDb();
  const rows = await db.run.findMany({
    where: { ...isInFlowOf(viewer, "runs:read"), id: { in: runs.map(({ id }) => id) } },
    select: { id: true, output: true },
  });
  return new Map(rows.map(({ id, output }) => [id, findOutput(output).text]));
}
