import "server-only";
import { randomUUID } from "node:crypto";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { toCopyName } from "@/lib/core/flow/list/copy-name";
import { normalizeTags } from "@/lib/core/flow/list/tags";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { jsonSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { applyChanges } from "@/lib/core/flow/text-change";
import { applyEdit } from "@/lib/core/source/apply-edit";
import { readSource } from "@/lib/core/source/read-source";
import { AppError } from "../app-error";
import { isLiveFlowOf, narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { insertFlow, readOutline, type SavedFlow, toRevisionRow } from "./flow-rows";
import { getFlow, toMissingFlowError } from "./queries";
import { readTagLines, toTagLines } from "./tag-lines";
import { tellRooms } from "./tell-rooms";

/** The text of a new flow. */
const emptySource = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";

/** Creates a flow in the one team of the viewer. A `name` is written into the text. Throws AppError as `requireTeam` does. */
export async function createFlow(
  viewer: Viewer,
  input: {
    name?: string | undefined;
    source?: string | undefined;
    layout?: Layout | undefined;
    tags?: readonly string[] | undefined;
  },
): Promise<SavedFlow & { id: string }> {
  const teamId = requireTeam(viewer, "flows:write");
  const { source: text = emptySource } = input;
  const name = input.name?.trim();
  const source = name ? withName(text, name) : text;
  const layout = JSON.stringify(input.layout ?? emptyLayout);
  return insertFlow(await getDb(), { teamId, source, layout, tags: toTagLines(input.tags ?? []), author: viewer });
}

function withName(source: string, name: string): string {
  const result = applyEdit(readSource(source), emptyLayout, { type: "set-flow-name", name });
  return result.ok ? applyChanges(source, result.changes) : source;
}

interface FlowSave {
  source: string;
  layout?: Layout | undefined;
  baseRevision: string;
  allowEmpty?: boolean | undefined;
  /** What changed, one description a line. */
  summary?: string | undefined;
}

/**
 * Saves a new revision over `baseRevision`; a live document of the flow follows. Throws AppError: `conflict` with the current
 * state when another save came in between or when an empty text would replace a text (without `allowEmpty`), `not_found`,
 * `too_large`.
 */
export async function saveFlow(viewer: Viewer, id: string, input: FlowSave): Promise<SavedFlow> {
  const saved = await storeRevision(viewer, id, input);
  if (saved.revision !== input.baseRevision) tellRooms(id);
  return saved;
}

/** What is written in the transaction that stores a revision. */
export type RevisionWrite = (tx: Pick<Db, "flowDocument">, revision: string) => Promise<unknown>;

/** `saveFlow` for what the live document holds: `also` is stored with the revision, and not called without a new one. */
export async function storeRevision(
  viewer: Viewer,
  id: string,
  input: FlowSave,
  also?: RevisionWrite,
): Promise<SavedFlow> {
  const db = await getDb();
  const current = await getFlow(viewer, id, "flows:write");
  const layout = JSON.stringify(input.layout ?? current.layout);
  const { source } = input;
  const { outline, problems } = readOutline(source, current.teamId);
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
      where: { id, revisionId: input.baseRevision, ...isLiveFlowOf(viewer, "flows:write") },
      data: { ...outline, revisionId: revision, updatedAt: now },
    });
    if (count === 0) return false;
    const summary = toSummaryLines(input.summary ?? "");
    const row = { id: revision, flowId: id, source, layout, createdAt: now, author: viewer, summary };
    await tx.revision.create({ data: toRevisionRow(row) });
    await also?.(tx, revision);
    return true;
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

/** The longest description of a revision, in lines and in UTF-16 units of a line. */
const [mostLines, longestLine] = [50, 200];

const toSummaryLines = (summary: string): string =>
  summary
    .split("\n")
    .slice(0, mostLines)
    .map((line) => line.slice(0, longestLine))
    .join("\n");

/** How often a rename is tried again on the text that someone else saved in between. */
const renameAttempts = 5;

/**
 * Writes the name of a flow into its text, as a new revision on top of whatever was saved last. Throws AppError:
 * `not_found`, `bad_request` for a blank name or a text that cannot be read.
 */
export async function renameFlow(viewer: Viewer, id: string, name: string): Promise<SavedFlow> {
  const trimmedName = name.trim();
  if (trimmedName === "") throw new AppError("bad_request", "A flow needs a name: write at least one character.");
  for (let attempt = 1; ; attempt++) {
    const { source, layout, revision } = await getFlow(viewer, id, "flows:write");
    const result = applyEdit(readSource(source), layout, { type: "set-flow-name", name: trimmedName });
    if (!result.ok)
      throw new AppError(
        "bad_request",
        "The name is in the flow's text, which has a mistake. Open the flow and mend it first.",
      );
    const summary = `Renamed the flow to ${trimmedName}`;
    const save = { source: applyChanges(source, result.changes), layout, baseRevision: revision, summary };
    try {
      return await saveFlow(viewer, id, save);
    } catch (error) {
      const isStale = error instanceof AppError && error.code === "conflict";
      if (!isStale || attempt === renameAttempts) throw error;
    }
  }
}

/** Replaces the tags of a flow. They belong to the flow, not to its text: no revision. Throws AppError `not_found`. */
export async function setFlowTags(viewer: Viewer, id: string, tags: readonly string[]): Promise<void> {
  const db = await getDb();
  const { count } = await db.flow.updateMany({
    where: { id, ...isLiveFlowOf(viewer, "flows:write") },
    data: { tags: toTagLines(normalizeTags(tags)) },
  });
  if (count === 0) throw await toMissingFlowError(viewer, id);
}

/** A copy with its own history, named after the original: `(copy)`, `(copy 2)` … */
export async function duplicateFlow(viewer: Viewer, id: string): Promise<SavedFlow & { id: string }> {
  const { name, source, layout, tags, teamId } = await getFlow(viewer, id);
  const member = narrowToTeam(viewer, teamId);
  const db = await getDb();
  const flows = await db.flow.findMany({ where: isLiveFlowOf(member, "flows:read"), select: { name: true } });
  const takenNames = new Set(flows.map((flow) => flow.name));
  const copyName = toCopyName(name, (candidate) => takenNames.has(candidate));
  return createFlow(member, { name: copyName, source, layout, tags: readTagLines(tags) });
}
