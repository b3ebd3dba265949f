import "server-only";
import { randomUUID } from "node:crypto";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { jsonSchema } from "@/lib/core/flow/flow";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { applyChanges } from "@/lib/core/flow/text-change";
import { applyEdit } from "@/lib/core/source/apply-edit";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { inTeamsOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { endRunsOfFlow } from "../runs/drive/cancel-runs";
import { hashOf, insertFlow, readOutline, type SavedFlow } from "./flow-rows";
import { getFlow } from "./queries";

/** The text of a new flow. */
const emptySource = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";

/** Creates a flow in the viewer's first team. A `name` is written into the text. */
export async function createFlow(
  viewer: Viewer,
  input: { name?: string | undefined; source?: string | undefined; layout?: Layout | undefined },
): Promise<SavedFlow & { id: string }> {
  const [teamId] = viewer.teamIds;
  if (teamId === undefined) throw new AppError("forbidden", "You are in no team that could hold a flow.");
  const { source: text = emptySource } = input;
  const name = input.name?.trim();
  const source = name ? withName(text, name) : text;
  return insertFlow(await getDb(), { teamId, source, layout: JSON.stringify(input.layout ?? emptyLayout) });
}

function withName(source: string, name: string): string {
  const result = applyEdit(readSource(source), emptyLayout, { type: "set-flow-name", name });
  return result.ok ? applyChanges(source, result.changes) : source;
}

/**
 * Saves a new revision over `baseRevision`. Throws AppError: `conflict` with the current state when another save came in
 * between or when an empty text would replace a text (without `allowEmpty`), `not_found`, `too_large`.
 */
export async function saveFlow(
  viewer: Viewer,
  id: string,
  input: { source: string; layout?: Layout | undefined; baseRevision: string; allowEmpty?: boolean | undefined },
): Promise<SavedFlow> {
  const db = await getDb();
  const current = await getFlow(viewer, id);
  const layout = JSON.stringify(input.layout ?? current.layout);
  const { source } = input;
  const { outline, problems } = readOutline(source);
  const same = source === current.source && layout === JSON.stringify(current.layout);
  if (same) return { revision: current.revision, problems };
  if (input.baseRevision !== current.revision) throw staleError(current);
  if (source.trim() === "" && current.source.trim() !== "" && !input.allowEmpty)
    throw new AppError(
      "bad_request",
      "This would replace the flow with an empty text. Send `allowEmpty: true` if that is meant.",
    );
  const [revision, now] = [randomUUID(), new Date()];
  const won = await db.$transaction(async (tx) => {
    const { count } = await tx.flow.updateMany({
      where: { id, revisionId: input.baseRevision, ...inTeamsOf(viewer) },
      data: { ...outline, revisionId: revision, updatedAt: now },
    });
    if (count === 1)
      await tx.revision.create({
        data: { id: revision, flowId: id, hash: hashOf(source, layout), source, layout, createdAt: now },
      });
    return count === 1;
  });
  if (!won) throw staleError(await getFlow(viewer, id));
  return { revision, problems };
}

const staleError = ({ revision, source, layout }: { revision: string; source: string; layout: Layout }): AppError =>
  new AppError("conflict", "This flow was changed elsewhere since you read it. Compare both and choose.", {
    revision,
    source,
    layout: parseJsonAs(JSON.stringify(layout), jsonSchema),
  });

/** Deletes a flow with its revisions and runs; runs under way are cancelled first. Throws AppError `not_found`. */
export async function deleteFlow(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const flow = await db.flow.findFirst({ where: { id, ...inTeamsOf(viewer) }, select: { id: true } });
  if (!flow) throw new AppError("not_found", "There is no such flow.");
  await endRunsOfFlow(db, id);
  const { count } = await db.flow.deleteMany({ where: { id, ...inTeamsOf(viewer) } });
  if (count === 0) throw new AppError("not_found", "There is no such flow.");
}

/** A copy with its own history, named after the original. */
export async function duplicateFlow(viewer: Viewer, id: string): Promise<SavedFlow & { id: string }> {
  const { name, source, layout } = await getFlow(viewer, id);
  return createFlow(viewer, { name: `${name} (copy)`, source, layout });
}
