import "server-only";
import type { Permission } from "../../auth/permissions";
import { listFlowAccess, type Viewer } from "../../auth/viewer";
import { joinSql, type Sql, sql } from "../../db";
import { getDatabaseLocation } from "../../env";

/** `isFlowOf` and `isInFlowOf` in SQL, for rows with these columns. */
export function isAccessible(
  viewer: Viewer,
  permission: Permission,
  { teamId, flowId }: { teamId: Sql; flowId: Sql } = { teamId: sql`"teamId"`, flowId: sql`"flowId"` },
): Sql {
  const { teamIds, raised, lowered } = listFlowAccess(viewer, permission);
  const inTeams = isAnyOf(teamId, teamIds);
  const inTeamFlows = lowered.length === 0 ? inTeams : sql`(${inTeams} AND NOT ${isAnyOf(flowId, lowered)})`;
  return raised.length === 0 ? inTeamFlows : sql`(${inTeamFlows} OR ${isAnyOf(flowId, raised)})`;
}

const isAnyOf = (column: Sql, values: readonly string[]): Sql =>
  values.length === 0 ? sql`1 = 0` : sql`${column} IN (${joinSql([...values])})`;

/**
 * Whether a column has all of these texts; all in lower case. SQLite's LIKE ignores the case of ASCII letters, and is faster
 * than its `instr`. PostgreSQL expects of LIKE that hardly a row matches, and would then read and sort all of them before
 * the first page; of `strpos` it expects that a third does, and begins with the newest.
 */
export function containsTexts(column: Sql, texts: readonly string[]): Sql[] {
  if (getDatabaseLocation().type === "sqlite")
    return texts.map((text) => sql`${column} LIKE ${`%${text.replaceAll(/[!%_]/g, "!$&")}%`} ESCAPE '!'`);
  if (texts.length < 2) return texts.map((text) => sql`strpos(${column}, ${text}) > 0`);
  // A long value is fetched anew for each function that takes it, unless it is the result of an expression.
  const conditions = texts.map((text) => sql`strpos("fetched"."text", ${text}) > 0`);
  return [
    sql`EXISTS (SELECT 1 FROM (SELECT ${column} || '' AS "text" OFFSET 0) AS "fetched" WHERE ${joinSql(conditions, " AND ")})`,
  ];
}

/** Whether a column that has one text a line, a line end before and after each, has this one; ASCII letters in either case. */
export const containsLine = (column: Sql, line: string): Sql[] =>
  // `lower` changes ASCII letters alone, in PostgreSQL because of the collation of the columns.
  containsTexts(sql`lower(${column})`, [`\n${line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())}\n`]);

/**
 * Whether the moment at which a run was created is one. SQLite stores any text, and reads `now` and a time of day as moments
 * too, which the first comparison excludes; PostgreSQL stores moments alone.
 */
export const hasReadableMoment = (): Sql =>
  getDatabaseLocation().type === "sqlite"
    ? sql`("createdAt" GLOB '[0-9][0-9][0-9][0-9]-*' AND julianday("createdAt") IS NOT NULL)`
    : sql`1 = 1`;
