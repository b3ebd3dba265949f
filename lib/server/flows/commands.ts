import "server-only";
import { randomUUID } from "node:crypto";
import { emptyLayout, type Layout } from "@/lib/core/flow/edit";
import { toFingerprint } from "@/lib/core/flow/hash-text";
import { toCopyName } from "@/lib/core/flow/list/copy-name";
import { toDisplayName } from "@/lib/core/flow/list/display-name";
import { normalizeTags } from "@/lib/core/flow/list/tags";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { jsonSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { withoutByteOrderMark } from "@/lib/core/source/yaml/byte-order-mark";
import { AppError } from "../app-error";
import { type AuditEntry, recordAudit, recordAuditSometimes, serverActor } from "../audit/record-audit";
import { isLiveFlowOf, mayInFlow, narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { renameFlowText } from "../cpu-worker/read-flow-text";
import { type Db, getDb } from "../db";
import { insertFlow, readOutline, type SavedFlow, toRevisionRow } from "./flow-rows";
import { getFlow, getLiveFlow } from "./queries";
import { readTagLines, toTagLines } from "./tag-lines";
import { tellRooms } from "./tell-rooms";

/** The text of a new flow. */
const emptySource = "name: Untitled flow\nagents:\nswarm:\n  type: workflow\n";

/** Creates a flow from one that is not the team's; `copiedFrom`: what that is, in words. Throws AppError as `requireTeam` does. */
export const createFlowCopy = (
  viewer: Viewer,
  { copiedFrom, ...draft }: Required<Pick<FlowDraft, "source" | "layout">> & { copiedFrom: string },
): Promise<SavedFlow & { id: string }> =>
  addFlow(viewer, { ...draft, copiedFrom, imported: true }, { action: "flow.copied", detail: { from: copiedFrom } });

interface FlowDraft {
  name?: string | undefined;
  source?: string | undefined;
  layout?: Layout | undefined;
  tags?: readonly string[] | undefined;
  /** What it was copied from, in words. */
  copiedFrom?: string;
  /** It comes from elsewhere: before its first run a member confirms what it reaches. */
  imported?: boolean | undefined;
}

/** Creates a flow in the one team of the viewer. A `name` is written into the text. Throws AppError as `requireTeam` does. */
export const createFlow = (viewer: Viewer, draft: FlowDraft): Promise<SavedFlow & { id: string }> =>
  addFlow(viewer, draft, { action: "flow.created" });

async function addFlow(
  viewer: Viewer,
  input: FlowDraft,
  audit: Pick<AuditEntry, "action" | "detail">,
): Promise<SavedFlow & { id: string }> {
  const teamId = requireTeam(viewer, "flows:write");
  const text = withoutByteOrderMark(input.source ?? emptySource);
  const name = toDisplayName(input.name ?? "");
  const source = name ? ((await renameFlowText(text, name, { teamId, userId: viewer.id })) ?? text) : text;
  assertWholeCharacters(source);
  const layout = JSON.stringify(input.layout ?? emptyLayout);
  return insertFlow(await getDb(), {
    teamId,
    source,
    layout,
    tags: toTagLines(input.tags ?? []),
    copiedFrom: input.copiedFrom ?? null,
    isForeign: input.imported ?? false,
    author: viewer,
    audit,
  });
}

interface FlowSave {
  source: string;
  layout?: Layout | undefined;
  baseRevision: string;
  allowEmpty?: boolean | undefined;
  /** What changed, one description a line. */
  summary?: string | undefined;
  /** The fingerprint of a text that the viewer saved over `baseRevision` without knowing yet whether that succeeded. */
  unanswered?: string | undefined;
  /** Stores a revision also where nothing has changed: later saves over the same base are refused. */
  isRepeated?: boolean | undefined;
  /** The server saves it by itself when it starts. */
  isAtStart?: boolean | undefined;
}

/**
 * Saves a new revision over `baseRevision`; a live document of the flow follows. Throws AppError: `conflict` with the current
 * state when another save came in between or when an empty text would replace a text (without `allowEmpty`), `not_found`,
 * `too_large`.
 */
export async function saveFlow(viewer: Viewer, id: string, input: FlowSave): Promise<SavedFlow> {
  const source = withoutByteOrderMark(input.source);
  const saved = await storeFlow(viewer, id, { ...input, source }, toChangeRecorder(viewer));
  if (saved.revision !== input.baseRevision) tellRooms(id);
  return saved;
}

type SaveTransaction = Pick<Db, "auditEvent" | "flowDocument">;
type SaveRecorder = (tx: SaveTransaction, entry: Omit<AuditEntry, "action">, revision: string) => Promise<void>;

const toChangeRecorder =
  (viewer: Viewer): SaveRecorder =>
  (tx, entry) =>
    recordAuditSometimes(tx, viewer, { ...entry, action: "flow.changed" });

/** `saveFlow` for what the live document holds: `also` is stored with the revision, and not called without a new one. */
export const saveLiveFlow = (
  viewer: Viewer,
  id: string,
  input: FlowSave,
  also: (tx: SaveTransaction, revision: string) => Promise<unknown>,
): Promise<SavedFlow> =>
  storeFlow(viewer, id, input, async (tx, entry, revision) => {
    await toChangeRecorder(viewer)(tx, entry, revision);
    await also(tx, revision);
  });

/**
 * Stores the current content once more: saves over `baseRevision` that arrive later are refused. Belongs to no user, so that it
 * is no one's unanswered save and no change in the audit log. Throws AppError as `saveFlow` does.
 */
export const saveBarrier = (
  viewer: Viewer,
  id: string,
  input: Pick<FlowSave, "source" | "layout" | "baseRevision">,
  also: (tx: SaveTransaction, revision: string) => Promise<unknown>,
): Promise<SavedFlow> =>
  storeFlow({ ...viewer, id: serverActor.id }, id, { ...input, isRepeated: true }, async (tx, _entry, revision) => {
    await also(tx, revision);
  });

async function storeFlow(viewer: Viewer, id: string, input: FlowSave, record: SaveRecorder): Promise<SavedFlow> {
  assertWholeCharacters(input.source);
  const db = await getDb();
  const current = await getFlow(viewer, id, "flows:write");
  const layout = JSON.stringify(input.layout ?? current.layout);
  const { source, isAtStart } = input;
  const { outline, problems } = await readOutline(source, { teamId: current.teamId, userId: viewer.id, isAtStart });
  const same = source === current.source && layout === JSON.stringify(current.layout);
  if (same && !input.isRepeated) return { revision: current.revision, problems };
  if (input.baseRevision !== current.revision && !(await isUnanswered(viewer, current, input)))
    throw staleError(viewer, current);
  if (source.trim() === "" && current.source.trim() !== "" && !input.allowEmpty)
    throw new AppError(
      "bad_request",
      "This would replace the flow with an empty text. Send `allowEmpty: true` if that is meant.",
    );
  const [revision, now] = [randomUUID(), new Date()];
  const won = await db.$transaction(async (tx) => {
    const { count } = await tx.flow.updateMany({
      where: { id, revisionId: current.revision, ...isLiveFlowOf(viewer, "flows:write") },
      data: { ...outline, revisionId: revision, updatedAt: now },
    });
    if (count === 0) return false;
    await tx.revision.create({
      data: toRevisionRow({
        ...{ id: revision, flowId: id, source, layout, createdAt: now, author: viewer, number: current.number + 1 },
        summary: toSummaryLines(input.summary ?? ""),
      }),
    });
    const object = { type: "flow", id, name: outline.name } as const;
    await record(tx, { teamId: current.teamId, object, detail: { revision } }, revision);
    return true;
  });
  if (won) return { revision, problems };
  const newer = await getFlow(viewer, id, "flows:write");
  // The save that was not answered may have come in between.
  if (await isUnanswered(viewer, newer, input)) return storeFlow(viewer, id, input, record);
  throw staleError(viewer, newer);
}

/** Whether the current revision is the one that the viewer made of `baseRevision` in a save that was not answered yet. */
async function isUnanswered(
  viewer: Viewer,
  current: { revision: string; source: string; number: number },
  { baseRevision, unanswered }: FlowSave,
): Promise<boolean> {
  if (unanswered !== toFingerprint(current.source)) return false;
  const db = await getDb();
  const [base, row] = await Promise.all(
    [baseRevision, current.revision].map((id) => db.revision.findUnique({ where: { id } })),
  );
  return (
    row?.createdById === viewer.id &&
    base?.flowId === row.flowId &&
    base.number !== null &&
    row.number === base.number + 1
  );
}

/** Databases store text in UTF-8, which has no halves of characters. Throws AppError `bad_request`. */
function assertWholeCharacters(source: string): void {
  const index = source.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  if (index < 0) return;
  const line = source.slice(0, index).split("\n").length;
  throw new AppError(
    "bad_request",
    `Line ${line} has half of a character (a lone surrogate), which cannot be stored. Delete it, then save again.`,
  );
}

/** With the current text for viewers who may read it. */
function staleError(
  viewer: Viewer,
  { id, teamId, revision, source, layout }: Awaited<ReturnType<typeof getFlow>>,
): AppError {
  const text = { source, layout: parseJsonAs(JSON.stringify(layout), jsonSchema) };
  return new AppError("conflict", "This flow was changed elsewhere since you read it. Compare both and choose.", {
    revision,
    ...(mayInFlow(viewer, { id, teamId }, "flows:read") && text),
  });
}

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
  const newName = toDisplayName(name);
  if (newName === "") throw new AppError("bad_request", "A flow needs a name: write at least one character.");
  for (let attempt = 1; ; attempt++) {
    const { name: before, teamId, source, layout, revision } = await getFlow(viewer, id, "flows:write");
    const renamed = await renameFlowText(source, newName, { teamId, userId: viewer.id });
    if (renamed === null)
      throw new AppError(
        "bad_request",
        "The name is in the flow's text, which has a mistake. Open the flow and mend it first.",
      );
    const summary = `Renamed the flow to ${newName}`;
    const save = { source: renamed, layout, baseRevision: revision, summary };
    try {
      const saved = await storeFlow(viewer, id, save, (tx, entry) =>
        recordAudit(tx, viewer, { ...entry, action: "flow.renamed", detail: { from: before } }),
      );
      tellRooms(id);
      return saved;
    } catch (error) {
      const isStale = error instanceof AppError && error.code === "conflict";
      if (!isStale || attempt === renameAttempts) throw error;
    }
  }
}

/** Replaces the tags of a flow. They belong to the flow, not to its text: no revision. Throws AppError `not_found`. */
export async function setFlowTags(viewer: Viewer, id: string, tags: readonly string[]): Promise<void> {
  const db = await getDb();
  const { teamId, name } = await getLiveFlow(viewer, "flows:write", id);
  await db.$transaction(async (tx) => {
    const { count } = await tx.flow.updateMany({
      where: { id, ...isLiveFlowOf(viewer, "flows:write") },
      data: { tags: toTagLines(normalizeTags(tags)) },
    });
    if (count > 0) await recordAudit(tx, viewer, { teamId, action: "flow.tagged", object: { type: "flow", id, name } });
  });
}

/** A copy with its own history, named after the original: `(copy)`, `(copy 2)` … */
export async function duplicateFlow(viewer: Viewer, id: string): Promise<SavedFlow & { id: string }> {
  const { name, source, layout, tags, teamId } = await getFlow(viewer, id);
  const member = narrowToTeam(viewer, teamId);
  const db = await getDb();
  const flows = await db.flow.findMany({ where: isLiveFlowOf(member, "flows:read"), select: { name: true } });
  const takenNames = new Set(flows.map((flow) => flow.name));
  const copyName = toCopyName(name, (candidate) => takenNames.has(candidate));
  const { reach } = await db.flow.findUniqueOrThrow({ where: { id }, select: { reach: true } });
  const draft = { name: copyName, source, layout, tags: readTagLines(tags), imported: reach !== null };
  return addFlow(member, draft, { action: "flow.duplicated", detail: { from: id } });
}
