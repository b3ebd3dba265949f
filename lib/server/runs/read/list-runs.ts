import "server-only";
import { z } from "zod";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../../app-error";
import { isInFlowOf, type Viewer } from "../../auth/viewer";
import { getDb, sql } from "../../db";
import { type RunSummary, readSummary } from "../store/run-rows";
import { readModelLines } from "../store/search-columns";
import { isAfterCursor, type RunCursor, type RunQuery, toCondition } from "./run-conditions";
import { type RunVersion, readRunVersions } from "./run-versions";

/** Most runs of one page. */
export const longestPage = 200;

/** `version` is null for a run whose flow is being deleted. */
export type ListedRun = RunSummary & { version: RunVersion | null };

/**
 * The viewer's runs that a filter means, newest first; of their texts only the beginning of the input. `next` is the
 * `before` of the following page: a place in an order that never changes, so that no run is shown twice or left out.
 * Throws AppError `bad_request` when `before` is no such place.
 */
export async function listRuns(
  viewer: Viewer,
  { before, limit = 50, ...query }: RunQuery & { before?: string | undefined; limit?: number | undefined } = {},
): Promise<{ runs: ListedRun[]; next: string | null }> {
  const size = Math.min(Math.max(limit, 1), longestPage);
  const cursor = before === undefined ? null : readCursor(before);
  const rows = await readPage(viewer, query, { cursor, size: size + 1, now: Date.now() });
  const listed = rows.slice(0, size);
  const last = listed.at(-1);
  const versions = await readRunVersions(
    await getDb(),
    listed.map(({ revision }) => revision),
  );
  const runs = listed.map((run) => ({ ...run, version: versions.get(run.revision) ?? null }));
  return { runs, next: rows.length > size && last ? `${last.createdAt ?? ""}_${last.id}` : null };
}

/** The input of the viewer's own last run of a flow; empty: there is none, or the input is too long for a field. */
export async function readLastInput(viewer: Viewer, flowId: string): Promise<string> {
  const { runs } = await listRuns(viewer, { flow: flowId, person: viewer.id, limit: 1 });
  const input = runs[0]?.input;
  return input === undefined || input.length !== undefined ? "" : input.text;
}

/** One page of such a list after a cursor. */
export async function readPage(
  viewer: Viewer,
  query: RunQuery,
  { cursor, size, now }: { cursor: RunCursor | null; size: number; now: number },
): Promise<RunSummary[]> {
  const db = await getDb();
  const condition = toCondition(viewer, query, now);
  const rows = await db.$queryRaw`
    SELECT "id", "flowId", "flowName", "revisionId", "status", substr("input", 1, ${payloadLimit + 1}) AS "input",
      length("input") AS "inputLength", "error", "usage", "simulated", "createdAt", "startedAt", "endedAt", "startedBy",
      "durationMs", "models", "warnings"
    FROM "Run" WHERE ${cursor ? sql`${condition} AND ${isAfterCursor(cursor)}` : condition}
    ORDER BY "createdAt" DESC, "id" DESC LIMIT ${size}`;
  return z.array(z.unknown()).parse(rows).map(readSummary);
}

const cursorPattern = /^(\d{0,15})_(.+)$/;

/** The cursor in the `before` of an address; undefined if it is none. */
export const readCursorParam = (param: string | string[] | undefined): string | undefined =>
  typeof param === "string" && cursorPattern.test(param) ? param : undefined;

function readCursor(text: string): RunCursor {
  const [, time, id] = cursorPattern.exec(text) ?? [];
  if (time === undefined || id === undefined)
    throw new AppError("bad_request", "`before` is not a place in this list: take the `next` of another page.");
  return { at: time === "" ? null : new Date(Number(time)), id };
}

/** How many of the latest runs are looked at for what there is to choose. */
const lookedAt = 1000;

/** The people, models and error codes of the viewer's latest 1,000 runs, each once, in order. */
export async function listRunChoices(viewer: Viewer) {
  const db = await getDb();
  const rows = await db.run.findMany({
    where: isInFlowOf(viewer, "runs:read"),
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: lookedAt,
    select: { startedById: true, startedBy: true, models: true, errorCode: true },
  });
  // Newest first: a renamed user has the name of the latest run.
  const people = new Map(rows.toReversed().map(({ startedById, startedBy }) => [startedById, startedBy]));
  return {
    people: [...people].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name)),
    models: [...new Set(rows.flatMap(({ models }) => readModelLines(models)))].sort(),
    errors: [...new Set(rows.flatMap(({ errorCode }) => errorCode ?? []))].sort(),
  };
}

/** What the viewer's latest runs offer to filter by. */
export type RunChoices = Awaited<ReturnType<typeof listRunChoices>>;
