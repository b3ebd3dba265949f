import type { Json } from "../../flow/flow";
import type { Payload } from "../../run/events/events";
import type { RunNode } from "./run-state";

/** Longest text of an event or a step, in UTF-16 units; longer ones are stored separately. */
export const payloadLimit = 16_384;

/** The texts of a step that may be large. */
export const textFields = ["input", "output", "request", "response", "reasoning"] as const;
export type TextField = (typeof textFields)[number];

/** A text of a step; empty when it has none of that name. */
export function textOf(
  { input, output, request, response, reasoning, reasoningLength }: RunNode,
  field: TextField,
): Payload {
  const thought: Payload = { text: reasoning, ...(reasoningLength !== undefined && { length: reasoningLength }) };
  const texts: Record<TextField, Payload | undefined> = {
    input,
    output,
    request: request?.body,
    response,
    reasoning: thought,
  };
  return texts[field] ?? { text: "" };
}

export const truncatePayload = (payload: Payload, limit = payloadLimit): Payload =>
  payload.text.length > limit
    ? { text: payload.text.slice(0, limit), length: payload.length ?? payload.text.length }
    : payload;

/** The step as it is stored in its row and shown first: large texts truncated. */
export function truncateNodeTexts(node: RunNode): RunNode {
  const { request, response, reasoning } = node;
  return {
    ...node,
    input: truncatePayload(node.input),
    output: truncatePayload(node.output),
    attempts: node.attempts.map((attempt) =>
      attempt.output ? { ...attempt, output: truncatePayload(attempt.output) } : attempt,
    ),
    ...(request && { request: { ...request, body: truncatePayload(request.body) } }),
    ...(response && { response: truncatePayload(response) }),
    ...(reasoning.length > payloadLimit && {
      reasoning: reasoning.slice(0, payloadLimit),
      reasoningLength: reasoning.length,
    }),
  };
}

/** Most of the facts in a step: of one text, and of all, in UTF-16 units. */
const factLimit = 1000;
const factsLimit = 8000;

/** Facts of a step, shortened for display. A value and its schema are omitted: a truncated one would be a different one. */
export function truncateFacts({ value: _, schema: __, ...facts }: RunNode["metadata"]): Record<string, Json> {
  const room = { left: factsLimit };
  const short = Object.entries(facts).map(([key, fact]): [string, Json] => [key, shorten(fact, room)]);
  return { ...Object.fromEntries(short), cut: true };
}

function shorten(fact: Json, budget: { left: number }): Json {
  budget.left -= 8;
  if (typeof fact === "string") {
    const shortText = fact.slice(0, Math.max(0, Math.min(factLimit, budget.left)));
    budget.left -= shortText.length;
    return shortText.length < fact.length ? `${shortText}…` : fact;
  }
  if (typeof fact !== "object" || fact === null) return fact;
  if (Array.isArray(fact)) {
    const items: Json[] = [];
    for (const item of fact) if (budget.left > 0) items.push(shorten(item, budget));
    return items;
  }
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(fact)) if (budget.left > 0) members.push([key, shorten(member, budget)]);
  return Object.fromEntries(members);
}
