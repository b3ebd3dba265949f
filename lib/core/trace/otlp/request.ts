import * as z from "zod/mini";
import { findJsonAs } from "../../flow/parse-json";
import { jsonSchema } from "../../flow/schemas/flow-schemas";
import { toOfferedTools } from "../model/offered-tools";
import type { RunNode } from "../model/run-state";
import type { AttributeInput } from "./otlp";

const number = z.catch(z.optional(z.number()), undefined);
const texts = z.catch(z.optional(z.array(z.string())), undefined);

/** Settings of a call as the wires of the providers write them. */
const settings = {
  temperature: number,
  top_p: number,
  topP: number,
  max_tokens: number,
  max_completion_tokens: number,
  maxOutputTokens: number,
  seed: number,
  stop: texts,
  stop_sequences: texts,
  stopSequences: texts,
  stream: z.catch(z.optional(z.boolean()), undefined),
};

const bodySchema = z.object({
  ...settings,
  generationConfig: z.catch(z.optional(z.object(settings)), undefined),
  tools: z.catch(z.optional(z.array(jsonSchema)), undefined),
});
type RequestBody = z.infer<typeof bodySchema>;

/** The body that went over the wire; null when there is none, when it is not whole, or is no JSON. */
const readBody = ({ request }: RunNode): RequestBody | null =>
  request && request.body.length === undefined ? findJsonAs(request.body.text, bodySchema) : null;

const toInteger = (value: number | undefined): AttributeInput => (value === undefined ? undefined : { int: value });

/** What a model was asked for beside the messages, and with content the tools that it was offered. */
export function toRequestAttributes(node: RunNode, content: boolean): Record<string, AttributeInput> {
  const body = readBody(node);
  if (!body) return {};
  const settings = { ...body, ...body.generationConfig };
  const tools = content ? toOfferedTools(body.tools).filter(({ name }) => name !== "") : [];
  const definitions = tools.map((tool) => ({ type: "function", ...tool }));
  return {
    "gen_ai.request.temperature": settings.temperature,
    "gen_ai.request.top_p": settings.top_p ?? settings.topP,
    "gen_ai.request.max_tokens": toInteger(
      settings.max_tokens ?? settings.max_completion_tokens ?? settings.maxOutputTokens,
    ),
    "gen_ai.request.seed": toInteger(settings.seed),
    "gen_ai.request.stop_sequences": settings.stop ?? settings.stop_sequences ?? settings.stopSequences,
    "gen_ai.request.stream": settings.stream,
    "gen_ai.tool.definitions": definitions.length > 0 ? JSON.stringify(definitions) : undefined,
  };
}
