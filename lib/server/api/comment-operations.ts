import "server-only";
import { z } from "zod";
import {
  commentChangeSchema,
  decisionSchema,
  newCommentSchema,
  reviewStateSchema,
  targetSchema,
} from "../comments/comment-schema";
import { inboxQuerySchema, readSchema } from "../comments/inbox";
import { noticeTypeSchema } from "../comments/notify";
import { threadFilterSchema } from "../comments/queries";
import { id, time } from "./answers";
import type { Operations } from "./operation";

const memberSchema = z.object({ id, name: z.string() });

const commentSchema = z.object({
  id,
  /** Markdown, in which a mention is `@[Name](user id)`. */
  body: z.string(),
  author: memberSchema,
  createdAt: time,
  editedAt: time.nullable(),
  isDeleted: z.boolean(),
  isMine: z.boolean(),
  mayDelete: z.boolean(),
});

const threadSchema = z.object({
  first: commentSchema,
  replies: z.array(commentSchema),
  target: targetSchema,
  label: z.string().nullable(),
  resolved: z.object({ by: z.string(), at: time }).nullable(),
  review: z
    .object({
      state: reviewStateSchema,
      by: z.string().nullable(),
      reviewers: z.array(memberSchema),
      /** `by.id` is empty for decisions of which only the name was stored. */
      decisions: z.array(
        z.object({ by: z.object({ id: z.string(), name: z.string() }), decision: decisionSchema, at: time }),
      ),
      isMine: z.boolean(),
      mine: decisionSchema.nullable(),
    })
    .nullable(),
});

const inboxItemSchema = z.object({
  id,
  type: noticeTypeSchema,
  createdAt: time,
  isRead: z.boolean(),
  by: z.string(),
  excerpt: z.string(),
  decision: z.string().nullable(),
  flow: z.object({ id, name: z.string() }),
  target: targetSchema,
  thread: id,
});

/** Comments, reviews of versions, and the inbox. */
export const commentOperations = {
  listComments: {
    method: "GET",
    path: "/flows/{id}/comments",
    summary: "The threads of a flow, newest first, 50 a page; next is the before of the following page.",
    permission: "flows:read",
    query: threadFilterSchema,
    answer: z.object({
      threads: z.array(threadSchema),
      next: id.nullable(),
      open: z.int(),
      resolved: z.int(),
      /** Open threads of the whole flow, and those on its nodes. */
      flowOpen: z.object({ count: z.int(), nodes: z.array(z.object({ name: z.string(), count: z.int() })) }),
      members: z.array(memberSchema),
      mayWrite: z.boolean(),
    }),
  },
  createComment: {
    method: "POST",
    path: "/flows/{id}/comments",
    summary: "Comments on a flow, a node, a step or a version, answers a comment, or requests a review.",
    permission: "comments:write",
    body: newCommentSchema,
    status: 201,
    answer: z.object({ id }),
  },
  changeComment: {
    method: "PATCH",
    path: "/comments/{id}",
    summary: "Edits an own comment, resolves a thread or opens it again, or decides a review.",
    permission: "comments:write",
    body: commentChangeSchema,
    answer: null,
  },
  deleteComment: {
    method: "DELETE",
    path: "/comments/{id}",
    summary: "Deletes a comment: its author may, and admins.",
    permission: "comments:write",
    answer: null,
  },
  listInbox: {
    method: "GET",
    path: "/inbox",
    summary: "The comments that concern the viewer, of all teams, newest first, 50 a page.",
    permission: null,
    query: inboxQuerySchema,
    answer: z.object({ items: z.array(inboxItemSchema), next: id.nullable(), unread: z.int() }),
  },
  countUnread: {
    method: "GET",
    path: "/inbox/unread",
    summary: "How many comments of the inbox are unread.",
    permission: null,
    answer: z.object({ unread: z.int() }),
  },
  markRead: {
    method: "POST",
    path: "/inbox/read",
    summary: "Marks comments of the inbox as read, without ids all of them.",
    permission: null,
    body: readSchema,
    answer: null,
  },
} satisfies Operations;
