import "server-only";
import { createHash, randomUUID } from "node:crypto";
import { printFlow } from "@/lib/core/dsl/print";
import { emptyLayout } from "@/lib/core/flow/edit";
import { limits } from "@/lib/core/flow/flow";
import { errorsOf, type Problem } from "@/lib/core/flow/problem";
import { readSource } from "@/lib/core/source/read-source";
import { readTemplates } from "@/lib/templates/files";
import { AppError } from "../app-error";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { currentOffer } from "../offer";

/** What a save comes to: the new revision, and what is wrong with its text. */
export interface SavedFlow {
  revision: string;
  problems: readonly Problem[];
}

/** What a list shows of a flow, read from its text at every save, and its problems. Throws AppError `too_large`. */
export function readOutline(source: string) {
  if (source.length > limits.sourceLength)
    throw new AppError(
      "too_large",
      `A flow has at most ${limits.sourceLength} characters; this one has ${source.length}.`,
    );
  const { flow, problems } = readSource(source, currentOffer());
  const text = flow.swarm.flow ? printFlow(flow.swarm.flow) : flow.swarm.edges ? "draft" : "";
  const errors = errorsOf(problems).length;
  return {
    outline: { name: flow.name.slice(0, 200), outline: text.slice(0, 400), agents: flow.agents.size, errors },
    problems,
  };
}

export const hashOf = (source: string, layout: string): string =>
  createHash("sha256").update(source).update("\0").update(layout).digest("hex");

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
