import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { mayInFlow, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { getRunHead } from "../runs/store/run-rows";
import { type CommentChange, type CommentTarget, type NewComment, toTarget, toTargetColumns } from "./comment-schema";
import { listMentionable, type Member, readMentions } from "./mentions";
import { type Notice, writeAndNotify } from "./notify";
import { getWritableComment, mostReplies, noSuchComment } from "./queries";

/**
 * Writes a comment or a reply. Throws AppError: `not_found` for what the viewer does not see or may not write about,
 * `bad_request` for a combination that makes no sense, `conflict` when a thread is full.
 */
export async function createComment(viewer: Viewer, flowId: string, input: NewComment): Promise<{ id: string }> {
  const flow = await getLiveFlow(viewer, "comments:write", flowId);
  const db = await getDb();
  const members = await listMentionable(db, flow.teamId, viewer);
  const { body, mentioned } = readMentions(input.body, members);
  const thread = input.parent === undefined ? null : await readThread(db, flowId, input);
  const target = thread?.target ?? input.target ?? { type: "flow" };
  if (!thread) await assertTarget(db, viewer, flowId, target);
  const reviewers = readReviewers(input, target, members);
  const id = randomUUID();
  const notices: Notice[] = [
    ...[...mentioned].map((userId): Notice => ({ userId, type: "mention" })),
    ...reviewers.map((userId): Notice => ({ userId, type: "review" })),
    ...(thread?.authors ?? [])
      .filter(
        (userId) => userId !== viewer.id && !mentioned.has(userId) && members.some((member) => member.id === userId),
      )
      .map((userId): Notice => ({ userId, type: "reply" })),
  ];
  const comment = { id, teamId: flow.teamId, flowId };
  const event = { comment, notices, ...(reviewers.length > 0 && { audit: toReviewEntry("review.requested", flow) }) };
  await writeAndNotify(viewer, event, async (tx) => {
    await tx.comment.create({
      data: {
        ...{ id, teamId: flow.teamId, flowId, body },
        ...toTargetColumns(target),
        parentId: input.parent ?? null,
        createdById: viewer.id,
        createdBy: viewer.name,
        createdAt: new Date(),
        decision: reviewers.length > 0 ? "requested" : null,
      },
    });
    return true;
  });
  return { id };
}

/** The first comment of a thread with all who wrote in it. Throws AppError. */
async function readThread(db: Db, flowId: string, { parent, target, reviewers }: NewComment) {
  if (target || reviewers)
    throw new AppError("bad_request", "`parent`: a reply has no target and no reviewers of its own.");
  const first = await db.comment.findFirst({
    where: { id: parent ?? "", flowId, parentId: null },
    include: { replies: { select: { createdById: true } } },
  });
  if (!first) throw noSuchComment();
  if (first.replies.length >= mostReplies)
    throw new AppError("conflict", `A thread has at most ${mostReplies} replies. Begin another one.`);
  const authors = [...new Set([first.createdById, ...first.replies.map(({ createdById }) => createdById)])];
  return { target: toTarget(first), authors };
}

/** Throws AppError `not_found` for a step or revision that is not one of the flow. */
async function assertTarget(db: Db, viewer: Viewer, flowId: string, target: CommentTarget): Promise<void> {
  if (target.type === "revision" && (await db.revision.count({ where: { id: target.id, flowId } })) === 0)
    throw new AppError("not_found", "The flow has no such version.");
  if (target.type !== "step") return;
  const run = await getRunHead(viewer, target.run);
  const steps = await db.runNode.count({ where: { runId: target.run, nodeId: target.step } });
  if (run.flowId !== flowId || steps === 0) throw new AppError("not_found", "The flow has no such step.");
}

function readReviewers({ reviewers = [] }: NewComment, target: CommentTarget, members: readonly Member[]): string[] {
  if (reviewers.length > 0 && target.type !== "revision")
    throw new AppError("bad_request", "`reviewers`: only a version can be reviewed. Send it as `target`.");
  const stranger = reviewers.find((reviewer) => !members.some(({ id }) => id === reviewer));
  if (stranger !== undefined)
    throw new AppError("bad_request", "`reviewers`: expected members of the team of this flow.");
  return [...new Set(reviewers)];
}

/** Changes the text of an own comment, resolves a thread or opens it again, or decides a review. Throws AppError. */
export async function changeComment(viewer: Viewer, id: string, change: CommentChange): Promise<void> {
  if (change.body !== undefined) await editBody(viewer, id, change.body);
  if (change.resolved !== undefined) await setResolved(viewer, id, change.resolved);
  if (change.decision !== undefined) await decide(viewer, id, change.decision);
}

/** Throws AppError: `not_found`, `forbidden` for the comment of someone else. */
async function editBody(viewer: Viewer, id: string, text: string): Promise<void> {
  const comment = await getWritableComment(viewer, id);
  if (comment.createdById !== viewer.id) throw new AppError("forbidden", "Only the author can edit a comment.");
  const { body, mentioned } = readMentions(text, await listMentionable(await getDb(), comment.teamId, viewer));
  const notices = [...mentioned].map((userId): Notice => ({ userId, type: "mention" }));
  await writeAndNotify(viewer, { comment, notices }, async (tx) => {
    await tx.comment.update({ where: { id }, data: { body, editedAt: new Date() } });
    return true;
  });
}

/** Throws AppError: `not_found`, `bad_request` for a reply. */
async function setResolved(viewer: Viewer, id: string, isResolved: boolean): Promise<void> {
  const comment = await getFirstComment(viewer, id);
  if ((comment.resolvedAt !== null) === isResolved) return;
  const db = await getDb();
  const by = isResolved ? { resolvedAt: new Date(), resolvedById: viewer.id, resolvedBy: viewer.name } : unresolved;
  await db.comment.update({ where: { id }, data: by });
}

const unresolved = { resolvedAt: null, resolvedById: null, resolvedBy: null };

/**
 * Stores what the viewer decides; the decisions of other reviewers stay. The same decision again changes nothing. Throws
 * AppError: `not_found`, `bad_request` for a comment that asks for no review, `forbidden` for those who were not asked.
 */
async function decide(viewer: Viewer, id: string, decision: string): Promise<void> {
  const comment = await getFirstComment(viewer, id);
  if (comment.decision === null) throw new AppError("bad_request", "`decision`: this comment asks for no review.");
  const db = await getDb();
  const asked = await db.notification.count({ where: { commentId: id, userId: viewer.id, type: "review" } });
  if (asked === 0) throw new AppError("forbidden", "Only those who were asked to review this version can decide.");
  const notices: Notice[] =
    comment.createdById === viewer.id ? [] : [{ userId: comment.createdById, type: "decision" }];
  const flow = await getLiveFlow(viewer, "comments:write", comment.flowId);
  const audit = { ...toReviewEntry("review.decided", flow), detail: { decision } };
  await writeAndNotify(viewer, { comment, notices, audit }, async (tx) => {
    const key = { commentId: id, userId: viewer.id };
    const present = await tx.reviewDecision.findUnique({ where: { commentId_userId: key } });
    if (present?.decision === decision) return false;
    const decidedAt = new Date();
    const columns = { userName: viewer.name, decision, decidedAt };
    await tx.reviewDecision.upsert({
      where: { commentId_userId: key },
      create: { ...key, ...columns },
      update: columns,
    });
    await tx.comment.update({ where: { id }, data: { decision, decidedAt, decidedBy: viewer.name } });
    return true;
  });
}

const toReviewEntry = (action: "review.requested" | "review.decided", { id, name }: { id: string; name: string }) => ({
  action,
  object: { type: "flow", id, name } as const,
});

/** Deleted or not: its thread goes on. */
async function getFirstComment(viewer: Viewer, id: string) {
  const comment = await getWritableComment(viewer, id, true);
  if (comment.parentId !== null)
    throw new AppError("bad_request", "Expected the first comment of a thread, found a reply.");
  return comment;
}

/**
 * Deletes a comment: its author may, and who manages the team. What others answered stays under an empty first comment.
 * Throws AppError: `not_found`, `forbidden`.
 */
export async function deleteComment(viewer: Viewer, id: string): Promise<void> {
  const comment = await getWritableComment(viewer, id);
  const mayDelete =
    comment.createdById === viewer.id ||
    mayInFlow(viewer, { id: comment.flowId, teamId: comment.teamId }, "team:manage");
  if (!mayDelete) throw new AppError("forbidden", "Only its author and admins of the team can delete a comment.");
  const flow = await getLiveFlow(viewer, "comments:write", comment.flowId);
  const db = await getDb();
  await db.$transaction(async (tx) => {
    const object = { type: "flow", id: flow.id, name: flow.name } as const;
    await recordAudit(tx, viewer, { teamId: flow.teamId, action: "comment.deleted", object });
    await tx.notification.deleteMany({ where: { commentId: id } });
    const replies = await tx.comment.count({ where: { parentId: id } });
    if (replies > 0) await tx.comment.update({ where: { id }, data: { body: "", deletedAt: new Date() } });
    else await tx.comment.delete({ where: { id } });
    const { parentId } = comment;
    if (parentId !== null)
      await tx.comment.deleteMany({ where: { id: parentId, deletedAt: { not: null }, replies: { none: {} } } });
  });
}
