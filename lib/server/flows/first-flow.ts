import "server-only";
import { randomUUID } from "node:crypto";
import { emptyLayout } from "@/lib/core/flow/edit";
import { readTemplates } from "@/lib/templates/files";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { hashOf, readOutline, type SavedFlow } from "./summary";

/** The template that a new database starts with. */
const firstTemplate = "demo-article";

/** Gives a new database the demo flow, so that the first page has something to run. */
export async function createFirstFlow(db: Db): Promise<void> {
  const source = readTemplates().get(firstTemplate);
  if (source === undefined) throw new Error(`the template ${firstTemplate} is missing`);
  await insertFlow(db, { teamId: localViewer.teamIds[0] ?? "local", source, layout: JSON.stringify(emptyLayout) });
}

/** Inserts a flow with its first revision, in one transaction. Throws AppError `too_large`. */
export async function insertFlow(
  db: Db,
  { teamId, source, layout }: { teamId: string; source: string; layout: string },
): Promise<SavedFlow & { id: string }> {
  const { outline, problems } = readOutline(source);
  const [id, revision, now] = [randomUUID(), randomUUID(), new Date()];
  await db.$transaction([
    db.flow.create({
      data: { id, teamId, ...outline, revisionId: revision, createdAt: now, updatedAt: now },
    }),
    db.revision.create({
      data: { id: revision, flowId: id, hash: hashOf(source, layout), source, layout, createdAt: now },
    }),
  ]);
  return { id, revision, problems };
}
