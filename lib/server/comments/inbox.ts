import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { logger } from "../log/logger";
import { type CommentTarget, toTarget } from "./comment-schema";
import { toExcerpt } from "./mentions";
import { type NoticeType, noticeTypeSchema } from "./notify";

/** A comment that the viewer should read. Times in milliseconds since the epoch. */
export interface InboxItem {
  id: string;
  type: NoticeType;
  createdAt: number;
  isRead: boolean;
  /** Who wrote the comment; of a decision, who decided. */
  by: string;
  /** The beginning of the comment. */
  excerpt: string;
  /** Of a decision on a review: what it is. */
  decision: string | null;
  flow: { id: string; name: string };
  target: CommentTarget;
  /** The first comment of its thread. */
  thread: string;
}

export const inboxQuerySchema = z.object({
  unread: z.enum(["0", "1"]).optional(),
  before: z.string().max(200).optional(),
});
type InboxQuery = z.infer<typeof inboxQuerySchema>;

export const readSchema = z.strictObject({ ids: z.array(z.string().max(200)).max(500).optional() });

const pageSize = 50;

/** What the viewer may still read: who left a team has nothing of it in the inbox. */
const isNoticeOf = (viewer: Viewer) => ({
  userId: viewer.id,
  ...isInFlowOf(viewer, "flows:read"),
  comment: { flow: { deletedAt: null } },
});

/**
 * The viewer's inbox over all teams, newest first, 50 a page, and how many are unread. `next`: the `before` of the following
 * page. Throws AppError `bad_request` for a `before` that is not in the inbox.
 */
export async function listInbox(viewer: Viewer, { unread, before }: InboxQuery = {}) {
  const db = await getDb();
  const where = isNoticeOf(viewer);
  const last =
    before === undefined ? null : await db.notification.findFirst({ where: { id: before, userId: viewer.id } });
  if (before !== undefined && !last)
    throw new AppError("bad_request", "`before` is not in this inbox: take the `next` of another page.");
  const [rows, unreadCount] = await Promise.all([
    db.notification.findMany({
      where: {
        ...where,
        ...(unread === "1" && { readAt: null }),
        ...(last && {
          OR: [{ createdAt: { lt: last.createdAt } }, { createdAt: last.createdAt, id: { lt: last.id } }],
        }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: pageSize + 1,
      include: { comment: { include: { flow: { select: { id: true, name: true } } } } },
    }),
    db.notification.count({ where: { ...where, readAt: null } }),
  ]);
  const items = rows.slice(0, pageSize).flatMap((row): InboxItem[] => {
    const { comment } = row;
    const { data: type } = noticeTypeSchema.safeParse(row.type);
    if (type === undefined) {
      logger.error({ notice: row.id }, "a notice of an inbox cannot be read");
      return [];
    }
    const item = {
      ...{ id: row.id, type, createdAt: row.createdAt.getTime(), isRead: row.readAt !== null },
      by: type === "decision" ? (comment.decidedBy ?? "") : comment.createdBy,
      excerpt: toExcerpt(comment.body),
      decision: type === "decision" ? comment.decision : null,
      flow: comment.flow,
      target: toTarget(comment),
      thread: comment.parentId ?? comment.id,
    };
    return [item];
  });
  return { items, next: rows.length > pageSize ? (rows[pageSize - 1]?.id ?? null) : null, unread: unreadCount };
}

/** How many comments the viewer has not read. */
export async function countUnread(viewer: Viewer): Promise<number> {
  const db = await getDb();
  return db.notification.count({ where: { ...isNoticeOf(viewer), readAt: null } });
}

/** Marks what is in the viewer's inbox as read, by default all of it. What is not in it is passed over. */
export async function markRead(viewer: Viewer, ids?: readonly string[]): Promise<void> {
  const db = await getDb();
  await db.notification.updateMany({
    where: { userId: viewer.id, readAt: null, ...(ids && { id: { in: [...ids] } }) },
    data: { readAt: new Date() },
  });
}
