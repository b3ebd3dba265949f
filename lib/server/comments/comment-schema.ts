import "server-only";
import { z } from "zod";

const idSchema = z.string().min(1).max(200);

/** What a comment is about. A node is meant by its name, a step by its number in its run. */
export const targetSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("flow") }),
  z.strictObject({ type: z.literal("node"), name: idSchema }),
  z.strictObject({ type: z.literal("step"), run: idSchema, step: z.number().int().positive() }),
  z.strictObject({ type: z.literal("revision"), id: idSchema }),
]);
export type CommentTarget = z.infer<typeof targetSchema>;

/** Of a request to review a revision. */
export const decisionSchema = z.enum(["approved", "changes-requested"]);
export type Decision = z.infer<typeof decisionSchema>;
export const reviewStateSchema = z.enum(["requested", ...decisionSchema.options]);
export type ReviewState = z.infer<typeof reviewStateSchema>;

/** The longest text of a comment, in UTF-16 units. */
const longestBody = 10_000;
const bodySchema = z
  .string()
  .max(longestBody)
  .refine((text) => text.trim() !== "", "Write at least one character");

export const newCommentSchema = z.strictObject({
  body: bodySchema,
  /** Missing: the flow, or what the parent is about. */
  target: targetSchema.optional(),
  /** The first comment of the thread that it answers. */
  parent: idSchema.optional(),
  /** Of a comment on a revision: the members who are asked to review it. */
  reviewers: z.array(idSchema).min(1).max(20).optional(),
});
export type NewComment = z.infer<typeof newCommentSchema>;

export const commentChangeSchema = z
  .strictObject({
    body: bodySchema.optional(),
    resolved: z.boolean().optional(),
    decision: decisionSchema.optional(),
  })
  .refine((change) => Object.keys(change).length === 1, "Expected one of `body`, `resolved` and `decision`");
export type CommentChange = z.infer<typeof commentChangeSchema>;

interface TargetColumns {
  target: string;
  targetId: string;
  runId: string | null;
}

export function toTargetColumns(target: CommentTarget): TargetColumns {
  switch (target.type) {
    case "flow":
      return { target: "flow", targetId: "", runId: null };
    case "node":
      return { target: "node", targetId: target.name, runId: null };
    case "step":
      return { target: "step", targetId: String(target.step), runId: target.run };
    case "revision":
      return { target: "revision", targetId: target.id, runId: null };
  }
}

export function toTarget({ target, targetId, runId }: TargetColumns): CommentTarget {
  if (target === "node") return { type: "node", name: targetId };
  if (target === "step") return { type: "step", run: runId ?? "", step: Number(targetId) };
  return target === "revision" ? { type: "revision", id: targetId } : { type: "flow" };
}
