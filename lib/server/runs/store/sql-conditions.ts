import "server-only";
import type { Viewer } from "../../auth/viewer";
import { joinSql, type Sql, sql } from "../../db";

/** inTeamsOf, in SQL. */
export const inTeams = ({ teamIds }: Viewer, column: Sql = sql`"teamId"`): Sql =>
  teamIds.length === 0 ? sql`1 = 0` : sql`${column} IN (${joinSql([...teamIds])})`;

/** Signs that mean something in a LIKE pattern mean themselves. */
export const containsText = (column: Sql, text: string): Sql =>
  sql`${column} LIKE ${`%${text.replaceAll(/[!%_]/g, "!$&")}%`} ESCAPE '!'`;
