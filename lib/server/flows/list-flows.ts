import "server-only";
import { z } from "zod";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import type { FlowThumbnail } from "@/lib/core/layout/thumbnail/thumbnail";
import type { ShownStatus } from "@/lib/core/run/events/run-status";
import { toSearchWords } from "@/lib/core/trace/model/run-filter";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { isLiveFlowOf, type Viewer } from "../auth/viewer";
import { type Db, getDb, joinSql, type Sql, sql } from "../db";
import { readStanding } from "../runs/store/readable-rows";
import { momentSchema, unreadableRun } from "../runs/store/run-rows";
import { containsLine, containsTexts, isAccessible } from "../runs/store/sql-conditions";
import { shownPicture } from "./stored-pictures";
import { readTagLines } from "./tag-lines";
import { thumbnailSchema } from "./thumbnail-schema";

export const flowSorts = ["run", "changed", "name", "created"] as const;
export type FlowSort = (typeof flowSorts)[number];

/** Which flows a list shows. All conditions must match. */
export interface FlowQuery {
  /** Words that all occur in names, agents or instructions, whatever their case. */
  q?: string | undefined;
  tag?: string | undefined;
  /** Missing: by their last run, those that never ran by their last change. */
  sort?: FlowSort | undefined;
  /** Missing: 500. */
  limit?: number | undefined;
}

/** `at`: when it was created; null where that cannot be read. `endedAt`: null while it has not ended. */
interface LastRun {
  id: string;
  status: ShownStatus;
  at: number | null;
  endedAt: number | null;
}

/** Times in milliseconds since the epoch. */
export interface FlowSummary {
  id: string;
  name: string;
  agents: number;
  /** The DSL text of the root swarm, or what it is, e.g. `Team of 4`; empty when there is nothing in it. */
  outline: string;
  /** Problems that block a run. */
  errors: number;
  tags: readonly string[];
  /** Null: not drawn yet, or too large. */
  picture: FlowThumbnail | null;
  createdAt: number;
  updatedAt: number;
  runs: number;
  lastRun: LastRun | null;
}

export interface FlowPage {
  flows: FlowSummary[];
  /** How many flows match, beyond those of this page. */
  matching: number;
}

const longestPage = 500;

const rowSchema = z.object({
  id: z.string(),
  name: z.string(),
  agents: z.coerce.number(),
  outline: z.string(),
  errors: z.coerce.number(),
  tags: z.string(),
  picture: z.string(),
  createdAt: z.coerce.date(),
  updatedAt: z.coerce.date(),
  runs: z.coerce.number(),
  matching: z.coerce.number(),
});

/** The viewer's flows outside the trash that a query means. Three statements, whatever their number; no text is read. */
export async function listFlows(viewer: Viewer, query: FlowQuery = {}): Promise<FlowPage> {
  const db = await getDb();
  const limit = Math.min(Math.max(query.limit ?? longestPage, 1), longestPage);
  const rows = z.array(rowSchema).parse(
    await db.$queryRaw`
      SELECT f."id", f."name", f."agents", f."outline", f."errors", f."tags", ${shownPicture(sql`f."picture"`)} AS "picture",
        f."createdAt", f."updatedAt",
        (SELECT count(*) FROM "Run" r WHERE r."flowId" = f."id") AS "runs", count(*) OVER () AS "matching"
      FROM "Flow" f WHERE ${toCondition(viewer, query)} ORDER BY ${orders[query.sort ?? "run"]} LIMIT ${limit}`,
  );
  const lastRuns = await readLastRuns(
    db,
    rows.flatMap(({ id, runs }) => (runs > 0 ? [id] : [])),
  );
  return {
    flows: rows.map(({ matching: _, tags, picture, createdAt, updatedAt, ...row }) => ({
      ...row,
      tags: readTagLines(tags),
      picture: findJsonAs(picture, thumbnailSchema),
      createdAt: createdAt.getTime(),
      updatedAt: updatedAt.getTime(),
      lastRun: lastRuns.get(row.id) ?? null,
    })),
    matching: rows[0]?.matching ?? 0,
  };
}

const orders: Record<FlowSort, Sql> = {
  run: sql`coalesce((SELECT max(r."createdAt") FROM "Run" r WHERE r."flowId" = f."id"), f."updatedAt") DESC, f."id"`,
  changed: sql`f."updatedAt" DESC, f."id"`,
  name: sql`lower(f."name"), f."id"`,
  created: sql`f."createdAt" DESC, f."id"`,
};

function toCondition(viewer: Viewer, { q = "", tag }: FlowQuery): Sql {
  const conditions = [
    isAccessible(viewer, "flows:read", { teamId: sql`f."teamId"`, flowId: sql`f."id"` }),
    sql`f."deletedAt" IS NULL`,
    ...(tag === undefined ? [] : containsLine(sql`f."tags"`, tag)),
    ...containsTexts(sql`f."search" || lower(f."tags")`, toSearchWords(q)),
  ];
  return joinSql(conditions, " AND ");
}

const lastRunSchema = z.object({
  id: z.string(),
  flowId: z.string(),
  status: z.string(),
  error: z.string().nullable(),
  createdAt: momentSchema.catch(null),
  endedAt: momentSchema.catch(null),
});

async function readLastRuns(db: Db, flowIds: readonly string[]) {
  if (flowIds.length === 0) return new Map<string, LastRun>();
  const rows = await db.$queryRaw`
    SELECT r."id", r."flowId", r."status", r."error", r."createdAt", r."endedAt"
    FROM "Flow" f JOIN "Run" r ON r."id" = (
      SELECT l."id" FROM "Run" l WHERE l."flowId" = f."id" ORDER BY l."createdAt" DESC, l."id" DESC LIMIT 1
    )
    WHERE f."id" IN (${joinSql([...flowIds])})`;
  return new Map(
    z
      .array(lastRunSchema)
      .parse(rows)
      .map((row) => [row.flowId, toLastRun(row)]),
  );
}

function toLastRun({ id, status, error, createdAt, endedAt }: z.infer<typeof lastRunSchema>): LastRun {
  const standing = readStanding({ id, status, error });
  const at = createdAt?.getTime() ?? null;
  const errorCode = at === null ? unreadableRun.code : standing.error?.code;
  return { id, status: toShownStatus(standing.status, errorCode), at, endedAt: endedAt?.getTime() ?? null };
}

/** How many flows the viewer has outside the trash and in it, and the tags of the former with their numbers, most used first. */
export async function countFlows(viewer: Viewer) {
  const db = await getDb();
  const [live, trashed, tagged] = await Promise.all([
    db.flow.count({ where: isLiveFlowOf(viewer, "flows:read") }),
    db.flow.count({ where: { ...isLiveFlowOf(viewer, "flows:read"), deletedAt: { not: null } } }),
    db.flow.findMany({ where: { ...isLiveFlowOf(viewer, "flows:read"), tags: { not: "" } }, select: { tags: true } }),
  ]);
  const counts = new Map<string, number>();
  for (const { tags } of tagged) for (const tag of readTagLines(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return {
    live,
    trashed,
    tags: [...counts]
      .map(([name, count]) => ({ name, count }))
      .sort((a, b) => b.count - a.count || a.name.localeCompare(b.name)),
  };
}

export type FlowCounts = Awaited<ReturnType<typeof countFlows>>;
