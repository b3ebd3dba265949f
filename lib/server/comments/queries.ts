import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { isInFlowOf, mayInFlow, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { type CommentTarget, type Decision, decisionSchema, type ReviewState, toTarget } from "./comment-schema";
import { listMentionable, type Member } from "./mentions";

/** A comment as it is shown. Times in milliseconds since the epoch. */
export interface Comment {
  id: string;
  /** Markdown, in which a mention is `@[Name](user id)`; empty once it is deleted. */
  body: string;
  author: Member;
  createdAt: number;
  editedAt: number | null;
  isDeleted: boolean;
  /** Whether the viewer may change its text. */
  isMine: boolean;
  mayDelete: boolean;
}

export interface CommentThread {
  first: Comment;
  replies: Comment[];
  target: CommentTarget;
  /** How the step or revision is called; null once it is gone, and for other targets. */
  label: string | null;
  resolved: { by: string; at: number } | null;
  review: Review | null;
}

/** A request to review a revision. */
export interface Review {
  /** One reviewer who requests changes outweighs others who approve. */
  state: ReviewState;
  /** The reviewers whose decision the state is; null while no one has decided. */
  by: string | null;
  reviewers: Member[];
  /** The decision of each reviewer who has decided, oldest first. */
  decisions: { by: Member; decision: Decision; at: number }[];
  /** Whether the viewer was asked. */
  isMine: boolean;
  /** The viewer's own decision; null: none yet. */
  mine: Decision | null;
}

export const threadFilterSchema = z.object({
  state: z.enum(["open", "resolved"]).optional(),
  target: z.enum(["flow", "node", "step", "revision"]).optional(),
  /** The name of the node, the id of the revision, or the number of the step. */
  of: z.string().max(200).optional(),
  run: z.string().max(200).optional(),
  before: z.string().max(200).optional(),
});
type ThreadFilter = z.infer<typeof threadFilterSchema>;

const pageSize = 50;
/** Most replies of a thread. */
export const mostReplies = 200;

type CommentRow = Awaited<ReturnType<Db["comment"]["findMany"]>>[number];

export const noSuchComment = (): AppError =>
  new AppError("not_found", "There is no such comment, or your role does not allow this.");

/**
 * A comment on a flow that is not in the trash, where the viewer may write; a deleted one only with `isDeletedToo`. Throws
 * AppError `not_found`.
 */
export async function getWritableComment(viewer: Viewer, id: string, isDeletedToo = false): Promise<CommentRow> {
  const db = await getDb();
  const comment = await db.comment.findFirst({
    where: {
      id,
      ...(!isDeletedToo && { deletedAt: null }),
      ...isInFlowOf(viewer, "comments:write"),
      flow: { deletedAt: null },
    },
  });
  if (!comment) throw noSuchComment();
  return comment;
}

/**
 * The threads of a flow that a filter means, newest first, 50 a page, each with its replies, oldest first. `next`: the
 * `before` of the following page. `members`: who can be mentioned. `flowOpen`: the open threads of the whole flow. Throws
 * AppError: `not_found`, `bad_request` for a `before` that is no thread of the flow.
 */
export async function listThreads(viewer: Viewer, flowId: string, filter: ThreadFilter = {}) {
  const flow = await getLiveFlow(viewer, "flows:read", flowId);
  const db = await getDb();
  const ofFlow = {
    flowId,
    parentId: null,
    // What is written about a step quotes it.
    ...(!mayInFlow(viewer, flow, "runs:read") && { NOT: { target: "step" } }),
  };
  const where = {
    ...ofFlow,
    ...(filter.target !== undefined && { target: filter.target }),
    ...(filter.of !== undefined && { targetId: filter.of }),
    ...(filter.run !== undefined && { runId: filter.run }),
  };
  const isResolved = { open: null, resolved: { not: null } };
  const [rows, open, resolved, members, openTargets] = await Promise.all([
    db.comment.findMany({
      where: {
        ...where,
        ...(filter.state && { resolvedAt: isResolved[filter.state] }),
        ...(filter.before !== undefined && { AND: await isBefore(db, flowId, filter.before) }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: pageSize + 1,
      include: {
        replies: { orderBy: [{ createdAt: "asc" }, { id: "asc" }], take: mostReplies },
        notices: { where: { type: "review" }, select: { userId: true } },
        decisions: { orderBy: [{ decidedAt: "asc" }, { userId: "asc" }] },
      },
    }),
    db.comment.count({ where: { ...where, resolvedAt: null } }),
    db.comment.count({ where: { ...where, resolvedAt: { not: null } } }),
    listMentionable(db, flow.teamId, viewer),
    db.comment.groupBy({ by: ["target", "targetId"], where: { ...ofFlow, resolvedAt: null }, _count: true }),
  ]);
  const shown = rows.slice(0, pageSize);
  const labels = await readLabels(db, shown);
  const context = { viewer, mayDeleteAll: mayInFlow(viewer, flow, "team:manage"), members };
  return {
    threads: shown.map((row) => toThread(row, labels.get(row.id) ?? null, context)),
    next: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
    open,
    resolved,
    flowOpen: {
      count: openTargets.reduce((sum, { _count }) => sum + _count, 0),
      nodes: openTargets.flatMap(({ target, targetId: name, _count: count }) =>
        target === "node" ? [{ name, count }] : [],
      ),
    },
    members,
    mayWrite: mayInFlow(viewer, flow, "comments:write"),
  };
}

async function isBefore(db: Db, flowId: string, before: string) {
  const last = await db.comment.findFirst({ where: { id: before, flowId, parentId: null } });
  if (!last) throw new AppError("bad_request", "`before` is no thread of this flow: take the `next` of another page.");
  return { OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: last.id } }] };
}

interface ShownBy {
  viewer: Viewer;
  mayDeleteAll: boolean;
  members: readonly Member[];
}

type DecisionRow = Awaited<ReturnType<Db["reviewDecision"]["findMany"]>>[number];
type ThreadRow = CommentRow & { replies: CommentRow[]; notices: { userId: string }[]; decisions: DecisionRow[] };

function toThread(row: ThreadRow, label: string | null, context: ShownBy): CommentThread {
  return {
    first: toComment(row, context),
    replies: row.replies.map((reply) => toComment(reply, context)),
    target: toTarget(row),
    label,
    resolved: row.resolvedAt && { by: row.resolvedBy ?? "", at: row.resolvedAt.getTime() },
    review: toReview(row, context),
  };
}

function toComment(row: CommentRow, { viewer, mayDeleteAll }: ShownBy): Comment {
  const isMine = row.deletedAt === null && row.createdById === viewer.id;
  return {
    id: row.id,
    body: row.body,
    author: { id: row.createdById, name: row.createdBy },
    createdAt: row.createdAt.getTime(),
    editedAt: row.editedAt?.getTime() ?? null,
    isDeleted: row.deletedAt !== null,
    isMine,
    mayDelete: row.deletedAt === null && (isMine || mayDeleteAll),
  };
}

function toReview({ decision, notices, decisions: rows }: ThreadRow, { viewer, members }: ShownBy): Review | null {
  if (decision === null) return null;
  const asked = new Set(notices.map(({ userId }) => userId));
  const decisions = rows.map((row) => ({
    by: { id: row.userId, name: row.userName },
    decision: decisionSchema.parse(row.decision),
    at: row.decidedAt.getTime(),
  }));
  const heaviest = decisions.find((row) => row.decision === "changes-requested") ?? decisions[0];
  const agreeing = decisions.filter((row) => row.decision === heaviest?.decision);
  return {
    state: heaviest?.decision ?? "requested",
    by: heaviest ? agreeing.map(({ by }) => by.name).join(", ") : null,
    reviewers: members.filter(({ id }) => asked.has(id)),
    decisions,
    isMine: asked.has(viewer.id),
    mine: decisions.find(({ by }) => by.id === viewer.id)?.decision ?? null,
  };
}

/** The names of the steps and the numbers of the revisions that comments are about, by the ids of the comments. */
async function readLabels(db: Db, rows: readonly CommentRow[]): Promise<ReadonlyMap<string, string>> {
  const revisionIds = rows.flatMap(({ target, targetId }) => (target === "revision" ? [targetId] : []));
  const steps = rows.flatMap(({ target, targetId, runId }) =>
    target === "step" && runId !== null ? [{ runId, nodeId: Number(targetId) }] : [],
  );
  const [revisions, nodes] = await Promise.all([
    revisionIds.length === 0
      ? []
      : db.revision.findMany({ where: { id: { in: revisionIds } }, select: { id: true, number: true, name: true } }),
    steps.length === 0
      ? []
      : db.runNode.findMany({ where: { OR: steps }, select: { runId: true, nodeId: true, name: true } }),
  ]);
  const labels = new Map<string, string>([
    ...revisions.map(({ id, number, name }) => [`revision ${id}`, name ?? `v${number}`] as const),
    ...nodes.map(({ runId, nodeId, name }) => [`${runId} ${nodeId}`, name] as const),
  ]);
  const keyOf = ({ target, targetId, runId }: CommentRow): string =>
    `${target === "step" ? runId : target} ${targetId}`;
  return new Map(
    rows.flatMap((row): [string, string][] => {
      const label = labels.get(keyOf(row));
      return label === undefined ? [] : [[row.id, label]];
    }),
  );
}
