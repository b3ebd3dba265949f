import { Ajv } from "ajv";
import { compilePattern } from "../../condition/pattern";
import type { Json, JsonSchema } from "../../flow/flow";
import { parseJson } from "../../flow/parse-json";
import { findSchemaHazard } from "../../flow/schema-bounds";

/** An answer that fits its schema, or a message that tells the model how to correct it. */
export type ParsedAnswer = { ok: true; value: Json } | { ok: false; message: string };
export type ParseAnswer = (text: string) => ParsedAnswer;

/** Most mistakes that one message lists: the first one, with the mistake of each alternative. */
const mostMistakes = 10;

/** A place at which a value does not fit a schema. `path`: JSON Pointer (RFC 6901), empty for the whole value. */
export interface SchemaMistake {
  path: string;
  message: string;
}

type CompiledSchema<T> = ({ ok: true } & T) | { ok: false; message: string };

/** Compiles a JSON Schema to a parser of answers. Not ok: the schema cannot be used. */
export function compileAnswer(schema: JsonSchema): CompiledSchema<{ read: ParseAnswer }> {
  const compiled = compileSchema(schema);
  return compiled.ok ? { ok: true, read: (text) => parseAnswer(text, compiled.findMistakes) } : compiled;
}

/** Compiles a JSON Schema to a check of values. Not ok: the schema cannot be used. */
export function compileSchema(
  schema: JsonSchema,
): CompiledSchema<{ findMistakes(value: Json): readonly SchemaMistake[] }> {
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) return { ok: false, message: hazard };
  try {
    const ajv = new Ajv({
      strict: false,
      allErrors: false,
      validateFormats: false,
      logger: false,
      code: { regExp: toPattern },
    });
    const validate = ajv.compile(schema);
    const findMistakes = (value: Json): SchemaMistake[] =>
      validate(value)
        ? []
        : (validate.errors ?? []).map(({ instancePath: path, message = "is not valid" }) => ({ path, message }));
    return { ok: true, findMistakes };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Patterns of a schema take bounded time on any answer. Throws for a pattern that cannot guarantee it. */
const toPattern = Object.assign(
  (text: string) => {
    const pattern = compilePattern(text);
    if (!pattern.ok) throw new Error(pattern.message);
    return { test: pattern.isFoundIn };
  },
  { code: "toPattern" },
);

function parseAnswer(text: string, findMistakes: (value: Json) => readonly SchemaMistake[]): ParsedAnswer {
  const value = parseJson(withoutFence(text));
  if (value === undefined)
    return {
      ok: false,
      message: "The answer is not valid JSON. Answer with the JSON value alone, without any other text.",
    };
  const mistakes = findMistakes(value);
  if (mistakes.length === 0) return { ok: true, value };
  const lines = mistakes.slice(0, mostMistakes).map(({ path, message }) => `- ${path || "the answer"} ${message}`);
  return { ok: false, message: `The answer does not fit the schema:\n${lines.join("\n")}` };
}

/** The JSON of a Markdown fence, where the answer is one. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  const fence = /^```(?:json)?[^\S\n]*\n([\s\S]*?)\n?```$/i.exec(trimmed);
  return fence?.[1] ?? trimmed;
}
