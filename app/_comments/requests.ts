import * as z from "zod/mini";
import { createdSchema, fetchJson, fetchText } from "../_ui/loading/fetch-json";

const memberSchema = z.object({ id: z.string(), name: z.string() });
export type CommentMember = z.infer<typeof memberSchema>;

const commentSchema = z.object({
  id: z.string(),
  body: z.string(),
  author: memberSchema,
  createdAt: z.number(),
  editedAt: z.nullable(z.number()),
  isDeleted: z.boolean(),
  isMine: z.boolean(),
  mayDelete: z.boolean(),
});
export type Comment = z.infer<typeof commentSchema>;

const targetSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("flow") }),
  z.object({ type: z.literal("node"), name: z.string() }),
  z.object({ type: z.literal("step"), run: z.string(), step: z.number() }),
  z.object({ type: z.literal("revision"), id: z.string() }),
]);
/** What a comment is about. */
export type CommentTarget = z.infer<typeof targetSchema>;

const decisionSchema = z.enum(["approved", "changes-requested"]);

const reviewSchema = z.object({
  reviewers: z.array(memberSchema),
  decisions: z.array(z.object({ by: memberSchema, decision: decisionSchema })),
  isMine: z.boolean(),
  mine: z.nullable(decisionSchema),
});
export type Review = z.infer<typeof reviewSchema>;

const threadSchema = z.object({
  first: commentSchema,
  replies: z.array(commentSchema),
  target: targetSchema,
  label: z.nullable(z.string()),
  resolved: z.nullable(z.object({ by: z.string(), at: z.number() })),
  review: z.nullable(reviewSchema),
});
export type CommentThread = z.infer<typeof threadSchema>;

const pageSchema = z.object({
  threads: z.array(threadSchema),
  next: z.nullable(z.string()),
  open: z.number(),
  resolved: z.number(),
  flowOpen: z.object({ count: z.number(), nodes: z.array(z.object({ name: z.string(), count: z.number() })) }),
  members: z.array(memberSchema),
  mayWrite: z.boolean(),
});
export type ThreadPage = z.infer<typeof pageSchema>;

export interface ThreadQuery {
  flowId: string;
  /** Missing: everything about the flow. */
  target?: CommentTarget | undefined;
  state: "open" | "resolved";
  before?: string;
}

const toUrl = (flowId: string): string => `/api/v1/flows/${encodeURIComponent(flowId)}/comments`;

/** One page of threads, newest first. Throws RequestError. */
export function requestThreads(query: ThreadQuery, signal?: AbortSignal): Promise<ThreadPage> {
  const { flowId, target, state, before } = query;
  const params = new URLSearchParams({ state, ...toParams(target), ...(before !== undefined && { before }) });
  return fetchJson(`${toUrl(flowId)}?${params}`, pageSchema, { cache: "no-store", ...(signal && { signal }) });
}

function toParams(target: CommentTarget | undefined): Record<string, string> {
  if (!target) return {};
  if (target.type === "node") return { target: "node", of: target.name };
  if (target.type === "step") return { target: "step", run: target.run, of: String(target.step) };
  return target.type === "revision" ? { target: "revision", of: target.id } : { target: "flow" };
}

export interface NewComment {
  body: string;
  target?: CommentTarget | undefined;
  parent?: string;
  reviewers?: readonly string[];
}

/** Throws RequestError. */
export const writeComment = (flowId: string, json: NewComment): Promise<{ id: string }> =>
  fetchJson(toUrl(flowId), createdSchema, { json });

type CommentChange = { body: string } | { resolved: boolean } | { decision: z.infer<typeof decisionSchema> };

/** Throws RequestError. */
export const changeComment = (id: string, json: CommentChange): Promise<unknown> =>
  fetchText(`/api/v1/comments/${id}`, { method: "PATCH", json });

/** Throws RequestError. */
export const deleteComment = (id: string): Promise<unknown> =>
  fetchText(`/api/v1/comments/${id}`, { method: "DELETE" });
