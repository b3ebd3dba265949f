import { z } from "zod";

/** One request of a model to run a tool. `arguments` is the raw JSON text as the model wrote it, maybe broken. */
export const toolCallSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** What the provider wants back with the call, unchanged; means nothing to anybody else. */
  providerData: z.record(z.string(), z.string()).optional(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const assistantMessageSchema = z.strictObject({
  role: z.literal("assistant"),
  content: z.string(),
  toolCalls: z.array(toolCallSchema).optional(),
});
export type AssistantMessage = z.infer<typeof assistantMessageSchema>;

/** A conversation turn, provider-neutral. */
export const messageSchema = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content: z.string() }),
  z.strictObject({ role: z.literal("user"), content: z.string() }),
  assistantMessageSchema,
  z.strictObject({
    role: z.literal("tool"),
    toolCallId: z.string(),
    name: z.string(),
    content: z.string(),
    isError: z.boolean().optional(),
  }),
]);
export type Message = z.infer<typeof messageSchema>;
export type ToolMessage = Extract<Message, { role: "tool" }>;
