import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Db, getDb } from "../db";

/** Why a user should read a comment. */
export const noticeTypeSchema = z.enum(["mention", "reply", "review", "decision"]);
export type NoticeType = z.infer<typeof noticeTypeSchema>;

export interface Notice {
  userId: string;
  type: NoticeType;
}

interface CommentHead {
  id: string;
  teamId: string;
  flowId: string;
}

type CommentTables = Pick<Db, "comment" | "notification">;

/**
 * Writes a comment and puts it into the inboxes of those whom it concerns, both or neither; an inbox has a comment once for
 * each reason. The only place that notifies anyone.
 */
export async function writeAndNotify(
  { id, teamId, flowId }: CommentHead,
  notices: readonly Notice[],
  write: (tx: CommentTables) => Promise<void>,
): Promise<void> {
  const db = await getDb();
  const createdAt = new Date();
  await db.$transaction(async (tx) => {
    await write(tx);
    for (const { userId, type } of notices)
      await tx.notification.upsert({
        where: { commentId_userId_type: { commentId: id, userId, type } },
        create: { id: randomUUID(), userId, teamId, flowId, commentId: id, type, createdAt },
        update: {},
      });
  });
}
