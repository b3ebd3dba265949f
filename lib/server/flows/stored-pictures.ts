import "server-only";
import { maxThumbnailUnits } from "@/lib/core/layout/thumbnail/thumbnail";
import { type Db, joinSql, type Sql, sql } from "../db";

/** Earlier versions stored pictures of any length. Its length is known without loading it. */
const isSmall = (picture: Sql): Sql => sql`octet_length(${picture}) <= ${maxThumbnailUnits}`;

/** The column of a picture; empty for one that is too large to be shown. */
export const shownPicture = (picture: Sql): Sql => sql`CASE WHEN ${isSmall(picture)} THEN ${picture} ELSE '' END`;

/** The pictures of these flows, by their ids, but those that are too large. */
export async function readPictures(db: Db, flowIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (flowIds.length === 0) return new Map();
  const rows = await db.$queryRaw<{ id: string; picture: string }[]>`
    SELECT f."id", f."picture" FROM "Flow" f
    WHERE f."id" IN (${joinSql([...flowIds])}) AND ${isSmall(sql`f."picture"`)}`;
  return new Map(rows.map(({ id, picture }) => [id, picture]));
}

/** Empties pictures that are too large, with the search text: then the row is filled anew. */
export const emptyLargePictures = (db: Db): Promise<number> =>
  db.$executeRaw`UPDATE "Flow" SET "picture" = '', "search" = '' WHERE NOT ${isSmall(sql`"picture"`)}`;
