import "server-only";
import { runStatuses } from "@/lib/core/run/events/run-status";
import { type RunFilter, timeSpans, toSearchWords } from "@/lib/core/trace/model/run-filter";
import type { Viewer } from "../../auth/viewer";
import { joinSql, type Sql, sql } from "../../db";
import { getDatabaseLocation } from "../../env";
import { containsLine, containsTexts, hasReadableMoment, isAccessible } from "../store/sql-conditions";

/** A query of runs: the filter of an address, and an id. */
export interface RunQuery extends RunFilter {
  id?: string | undefined;
}

/** A place in the list, newest first: everything that follows it is older. `at`: null after a run whose moment cannot be read. */
export interface RunCursor {
  at: Date | null;
  id: string;
}

/**
 * The condition for the rows of "Run" that a viewer may see and that a filter means: the one place that reads a filter, for
 * list, totals and export alike. Plain SQL that SQLite and PostgreSQL both run. `now`: what `since` counts from.
 */
export function toCondition(viewer: Viewer, query: RunQuery, now: number): Sql {
  return joinSql([isAccessible(viewer, "runs:read"), ...toConditions(query, now)], " AND ");
}

function toConditions(query: RunQuery, now: number): Sql[] {
  const { id, q, status, flow, person, model, error, since, from: start, to: end, costFrom, costTo } = query;
  const conditions: (Sql | false)[] = [
    id !== undefined && sql`"id" = ${id}`,
    status !== undefined && sql`"status" = ${status}`,
    flow !== undefined && sql`"flowId" = ${flow}`,
    person !== undefined && sql`"startedById" = ${person}`,
    error !== undefined && sql`"errorCode" = ${error}`,
    since !== undefined && sql`"createdAt" >= ${new Date(now - timeSpans[since])}`,
    start !== undefined && sql`"createdAt" >= ${new Date(start)}`,
    end !== undefined && sql`"createdAt" < ${new Date(end)}`,
    costFrom !== undefined && sql`"cost" >= ${Number(costFrom)}`,
    costTo !== undefined && sql`"cost" <= ${Number(costTo)}`,
    ...(model === undefined ? [] : containsLine(sql`"models"`, model)),
    ...containsTexts(sql`"search"`, toSearchWords(q ?? "")),
  ];
  return conditions.filter((condition) => condition !== false);
}

/** What follows a place, newest first. The first half lets an index begin there. */
export function isAfterCursor({ at: moment, id }: RunCursor): Sql {
  const time = moment ?? sql`(SELECT "last"."createdAt" FROM "Run" AS "last" WHERE "last"."id" = ${id})`;
  return sql`"createdAt" <= ${time} AND ("createdAt" < ${time} OR "id" < ${id})`;
}

/** Whether what totals read of a row fits its type. SQLite stores any text in any column. */
export function isReadable(): Sql {
  const hasStatus = sql`"status" IN (${joinSql([...runStatuses])})`;
  if (getDatabaseLocation().type !== "sqlite") return hasStatus;
  return sql`(${hasReadableMoment()} AND ${hasStatus} AND typeof("tokens") IN ('integer', 'real')
    AND typeof("cost") IN ('integer', 'real', 'null') AND typeof("durationMs") IN ('integer', 'real', 'null'))`;
}
