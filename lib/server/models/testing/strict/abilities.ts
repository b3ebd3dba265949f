import "server-only";
import type { Message } from "@/lib/core/run/events/messages";

interface Ability {
  /** A flow whose models are written as `MODEL`. */
  source: string;
  input?: string;
  messages?: readonly Message[];
}

const hello = (fields: string): string => `
agents:
  solver:
    model: MODEL
${fields.replaceAll(/^/gm, "    ")}
  closer: { model: MODEL, instructions: "Repeat the answer." }
swarm: { type: workflow, flow: solver >> closer }
`;

/** What the documentation promises of agents and no template uses, by its name in a test. */
export const abilities: ReadonlyMap<string, Ability> = new Map<string, Ability>(
  Object.entries({
    "a limit of tokens": { source: hello("max_tokens: 400") },
    "the smallest limit of tokens": { source: hello("max_tokens: 1") },
    "no instructions": { source: hello("description: Says it.") },
    "blank instructions": { source: hello('instructions: " \\n "') },
    "a blank question": { source: hello("instructions: Answer."), input: "  " },
    "two tools in one turn": {
      source: hello(
        "tools: [calculator, current_time, read_page]\ninstructions: What is 17 * 3, and what time is it in Berlin?",
      ),
    },
    "a tool without parameters, and one of them optional": {
      source: hello("tools: [current_time]\ninstructions: What time is it?"),
    },
    "a tool that fails": {
      source: hello(
        'tools: [read_page]\nmax_steps: 4\ninstructions: "demo: call read_page {\\"url\\": \\"no such page\\"}"',
      ),
    },
    "a tool after whose result the answer keeps to a schema": {
      source: hello(`tools: [calculator]
instructions: What is 17 * 3?
output_schema: { type: object, properties: { sum: { type: number } }, required: [sum] }`),
    },
    "a schema without additionalProperties, with optional fields and limits": {
      source: hello(`output_schema:
  type: object
  properties:
    title: { type: string, minLength: 1, maxLength: 200 }
    stars: { type: integer, minimum: 1, maximum: 5 }
    tags: { type: array, items: { type: string }, minItems: 1, maxItems: 4, uniqueItems: true }
    due: { type: string, format: date }
    note: { type: [string, "null"] }
  required: [title, stars]`),
    },
    "a schema with a list at its root": {
      source: hello("output_schema: { type: array, items: { type: object, properties: { name: { type: string } } } }"),
    },
    "a schema with a text at its root": { source: hello("output_schema: { type: string, enum: [yes, no] }") },
    "a schema of free fields": { source: hello("output_schema: { type: object }") },
    "a schema with fields of any name": {
      source: hello("output_schema: { type: object, additionalProperties: { type: number } }"),
    },
    "a schema with alternatives and references": {
      source: hello(`output_schema:
  type: object
  properties:
    result: { anyOf: [{ $ref: "#/$defs/found" }, { type: object, properties: { reason: { type: string } } }] }
  required: [result]
  $defs:
    found: { type: object, properties: { page: { type: string } }, required: [page] }`),
    },
    "messages from before the run": {
      source: hello("instructions: Go on."),
      messages: [
        { role: "user", content: "My name is Ann." },
        { role: "assistant", content: "Hello Ann." },
        { role: "user", content: "" },
        { role: "assistant", content: "" },
        { role: "user", content: "What is my name?" },
      ],
    },
    "calls of other providers in the messages from before the run": {
      source: hello("tools: [calculator]\ninstructions: What is 2 * 3?"),
      messages: [
        { role: "user", content: "What is 17 * 3?" },
        {
          role: "assistant",
          content: "",
          toolCalls: [
            { id: "functions.calculator:0", name: "calculator", arguments: '{"expression":"17 * 3"}' },
            { id: "functions.calculator:0", name: "calculator", arguments: "{broken" },
          ],
          written: {
            writer: "compatible:kimi-k3",
            parts: [{ type: "own", value: { reasoning_content: "A sum." } }, { type: "call" }, { type: "call" }],
          },
        },
        { role: "tool", toolCallId: "functions.calculator:0", name: "calculator", content: "51" },
        { role: "tool", toolCallId: "functions.calculator:0", name: "calculator", content: "", isError: true },
        { role: "assistant", content: "It is 51." },
        {
          role: "assistant",
          content: "Once more.",
          toolCalls: [{ id: "c".repeat(90), name: "pages.read page", arguments: "{}" }],
        },
        { role: "tool", toolCallId: "c".repeat(90), name: "pages.read page", content: "A page." },
        { role: "user", content: "And 2 * 3?" },
      ],
    },
    "an answer that must be written again": {
      source: hello(
        `output_schema: { type: object, properties: { word: { const: "no model writes this by itself" } }, required: [word] }`,
      ),
    },
  } satisfies Record<string, Ability>),
);
