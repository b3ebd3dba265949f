import "server-only";
import type { Db } from "../../db";

/** Which version of its flow a run ran. */
export interface RunVersion {
  number: number;
  /** Given by a user; null for most. */
  name: string | null;
  /** As it is now: `draft` is newer than the published version. Null: older, or no version is published. */
  state: "published" | "draft" | null;
}

/** The versions of some runs, by the ids of their revisions. */
export async function readRunVersions(
  db: Db,
  revisionIds: readonly string[],
): Promise<ReadonlyMap<string, RunVersion>> {
  const revisions = await db.revision.findMany({
    where: { id: { in: [...new Set(revisionIds)] } },
    select: { id: true, number: true, name: true, flow: { select: { publishedId: true } } },
  });
  const publishedIds = new Set(revisions.flatMap(({ flow }) => flow.publishedId ?? []));
  const published = await db.revision.findMany({
    where: { id: { in: [...publishedIds] } },
    select: { id: true, number: true },
  });
  const publishedNumbers = new Map(published.map(({ id, number }) => [id, number]));
  return new Map(
    revisions.map(({ id, number, name, flow: { publishedId } }) => {
      const isDraft = publishedId !== null && number > (publishedNumbers.get(publishedId) ?? number);
      return [id, { number, name, state: id === publishedId ? "published" : isDraft ? "draft" : null }];
    }),
  );
}
