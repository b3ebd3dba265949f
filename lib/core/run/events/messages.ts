import * as z from "zod/mini";
import { jsonSchema } from "../../flow/schemas/flow-schemas";

/** One request of a model to run a tool. `arguments` is the raw JSON text as the model wrote it, maybe broken. */
export const toolCallSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
  /** Data that the provider needs back with the call, unchanged; opaque to everything else. */
  providerData: z.optional(z.record(z.string(), z.string())),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

/** A piece of a message in the order in which its model wrote it: some of its text, its next call, or what only its provider reads. */
const messagePartSchema = z.discriminatedUnion("type", [
  /** `start` and `length` in UTF-16 units of the content; `phase`: what OpenAI calls it. */
  z.strictObject({
    type: z.literal("text"),
    start: z.number(),
    length: z.number(),
    phase: z.optional(z.string()),
  }),
  z.strictObject({ type: z.literal("call") }),
  /** Reasoning, a signature or the like, as it goes back. */
  z.strictObject({ type: z.literal("own"), value: z.record(z.string(), jsonSchema) }),
]);
export type MessagePart = z.infer<typeof messagePartSchema>;

/** What a model wants back with a message that it wrote. `writer`: the model as `provider:model`; no other one gets it. */
export const writtenPartsSchema = z.strictObject({ writer: z.string(), parts: z.array(messagePartSchema) });
export type WrittenParts = z.infer<typeof writtenPartsSchema>;

const assistantMessageSchema = z.strictObject({
  role: z.literal("assistant"),
  content: z.string(),
  toolCalls: z.optional(z.array(toolCallSchema)),
  written: z.optional(writtenPartsSchema),
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
    isError: z.optional(z.boolean()),
  }),
]);
export type Message = z.infer<typeof messageSchema>;
export type ToolMessage = Extract<Message, { role: "tool" }>;

/** Sentences about mistakes in the order of a conversation: calls without a result, then results without a call. */
export function findMessageMistakes(messages: readonly Message[]): string[] {
  const danglingCalls: ToolCall[] = [];
  const strayResults: ToolMessage[] = [];
  let openCalls = new Map<string, ToolCall>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (!openCalls.delete(message.toolCallId)) strayResults.push(message);
      continue;
    }
    danglingCalls.push(...openCalls.values());
    openCalls = new Map(message.role === "assistant" ? (message.toolCalls ?? []).map((call) => [call.id, call]) : []);
  }
  danglingCalls.push(...openCalls.values());
  return [
    ...danglingCalls.map(({ id, name }) => `The call ${id} of ${name} has no result.`),
    ...strayResults.map(({ toolCallId, name }) => `The result ${toolCallId} of ${name} belongs to no call before it.`),
  ];
}

/**
 * The conversation without the older half of its turns. A turn is a message with the results that belong to it, so no
 * call loses its result; instructions, the last user message and the last turn are always retained.
 */
export function trimOldest(messages: readonly Message[]): Message[] {
  const system = messages.filter((message) => message.role === "system");
  const turns: Message[][] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const last = turns.at(-1);
    if (message.role === "tool" && last) last.push(message);
    else turns.push([message]);
  }
  const question = turns.findLastIndex(([message]) => message?.role === "user");
  const middle = Math.ceil(turns.length / 2);
  const retained = turns.filter((_, index) => index >= middle || index === question || index === turns.length - 1);
  return [...system, ...retained.flat()];
}
