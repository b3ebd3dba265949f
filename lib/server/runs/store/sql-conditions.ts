import "server-only";
import type { Viewer } from "../../auth/viewer";
import { joinSql, type Sql, sql } from "../../db";

/** inTeamsOf, in SQL. */
export const inTeams = ({ teamIds }: Viewer, column: Sql = sql`"teamId"`): Sql =>
  teamIds.length === 0 ? sql`1 = 0` : sql`${column} IN (${joinSql([...teamIds])})`;

/** Both texts in lower case: SQLite's LIKE ignores the case of ASCII letters, PostgreSQL's none. Signs that mean something in a pattern mean themselves. */
export const containsText = (column: Sql, text: string): Sql =>
  sql`${column} LIKE ${`%${text.replaceAll(/[!%_]/g, "!$&")}%`} ESCAPE '!'`;

/** Whether a column that has one text a line, a line end before and after each, has this one; ASCII letters in either case. */
export const containsLine = (column: Sql, line: string): Sql =>
  // `lower` changes ASCII letters alone, in PostgreSQL because of the collation of the columns.
  containsText(sql`lower(${column})`, `\n${line.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())}\n`);
