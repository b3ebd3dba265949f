import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type AuditEntry, recordAudit } from "../audit/record-audit";
import { getLinkOrigin } from "../auth/team-mode";
import type { Viewer } from "../auth/viewer";
import { type Db, getDb, inOneState } from "../db";
import { logger } from "../log/logger";
import { isMailConfigured, sendMail } from "../mail/send-mail";
import { toExcerpt } from "./mentions";

/** Why a user should read a comment. */
export const noticeTypeSchema = z.enum(["mention", "reply", "review", "decision"]);
export type NoticeType = z.infer<typeof noticeTypeSchema>;

export interface Notice {
  userId: string;
  type: NoticeType;
}

/** What happens to a comment. */
export interface CommentEvent {
  comment: { id: string; teamId: string; flowId: string };
  notices: readonly Notice[];
  audit?: Omit<AuditEntry, "teamId">;
}

type CommentTables = Pick<Db, "comment" | "notification" | "reviewDecision">;

/**
 * Writes a comment, puts it into the inboxes of those whom it concerns and into the audit log: all or nothing. `write`
 * resolves to whether anything has changed; else no one is notified. An inbox has a comment once for each reason, and the
 * newest decision on it as a new one. Where mail is configured, what is new in an inbox is mailed, too. The only place
 * that notifies anyone.
 */
export async function writeAndNotify(
  viewer: Viewer,
  { comment, notices, audit }: CommentEvent,
  write: (tx: CommentTables) => Promise<boolean>,
): Promise<void> {
  const db = await getDb();
  const { id, teamId, flowId } = comment;
  const added = await inOneState(db, async (tx) => {
    if (!(await write(tx))) return [];
    if (audit) await recordAudit(tx, viewer, { teamId, ...audit });
    if (notices.length === 0) return [];
    const createdAt = new Date();
    if (notices.some(({ type }) => type === "decision"))
      await tx.notification.deleteMany({ where: { commentId: id, type: "decision" } });
    const known = await tx.notification.findMany({ where: { commentId: id }, select: { userId: true, type: true } });
    const fresh = notices.filter(
      ({ userId, type }) => !known.some((notice) => notice.userId === userId && notice.type === type),
    );
    const rows = fresh.map((notice) => ({ id: randomUUID(), ...notice, teamId, flowId, commentId: id, createdAt }));
    await tx.notification.createMany({ data: rows });
    return fresh;
  });
  if (added.length === 0 || !isMailConfigured()) return;
  // The mail server may take its time.
  mailNotices(db, viewer, { id, notices: added }).catch((error: unknown) =>
    logger.warn({ err: error, comment: id }, "what is new in an inbox could not be mailed"),
  );
}

const noticeWords: Record<NoticeType, string> = {
  mention: "mentioned you in",
  reply: "replied to a comment of yours in",
  review: "asks you to review a version of",
  decision: "decided the review that you requested of",
};

async function mailNotices(db: Db, viewer: Viewer, { id, notices }: { id: string; notices: readonly Notice[] }) {
  const comment = await db.comment.findUnique({ where: { id }, include: { flow: { select: { name: true } } } });
  const users = await db.user.findMany({
    where: { id: { in: notices.map(({ userId }) => userId).filter((userId) => userId !== viewer.id) } },
    select: { id: true, email: true },
  });
  if (!comment) return;
  for (const { id: userId, email } of users) {
    const type = notices.find((notice) => notice.userId === userId)?.type ?? "mention";
    const subject = `${viewer.name} ${noticeWords[type]} “${comment.flow.name}”`;
    const text = `${subject}:\n\n${toExcerpt(comment.body)}\n\nYour inbox: ${getLinkOrigin()}/inbox`;
    await sendMail({ to: email, subject: subject.replaceAll(/\s+/g, " "), text });
  }
}
