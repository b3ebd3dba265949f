import type { ErrorObject, ValidateFunction } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { compilePattern } from "../../condition/pattern";
import type { Json, JsonSchema } from "../../flow/flow";
import { isJsonList, isJsonObject, parseJson } from "../../flow/parse-json";
import { findSchemaHazard } from "../../flow/schema-bounds";
import type { AnswerPort, ParsedAnswer } from "../ports/answers";
import { addLinearKeywords } from "./schema-keywords";

type ParseAnswer = (text: string) => ParsedAnswer;

/** Maximum length of an answer that is read by a schema, in UTF-16 units. */
const maxAnswerLength = 1_000_000;

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

/** Reads answers in this thread, at once: for a process that does nothing else meanwhile. */
export function createAnswerPort(): AnswerPort {
  const compiled = new WeakMap<JsonSchema, ReturnType<typeof compileAnswer>>();
  const compileOnce = (schema: JsonSchema) => {
    const known = compiled.get(schema) ?? compileAnswer(schema);
    compiled.set(schema, known);
    return known;
  };
  return {
    findSchemaMistake: async (schema) => {
      const answer = compileOnce(schema);
      return answer.ok ? null : answer.message;
    },
    read: async (schema, text) => {
      const answer = compileOnce(schema);
      return answer.ok ? answer.read(text) : answer;
    },
  };
}

/** Compiles a JSON Schema of any draft from 06 to 2020-12 to a check of values. Not ok: the schema cannot be used. */
export function compileSchema(
  schema: JsonSchema,
): CompiledSchema<{ findMistakes(value: Json): readonly SchemaMistake[] }> {
  const hazard = findSchemaHazard(schema);
  if (hazard !== null) return { ok: false, message: hazard };
  try {
    const Validator = hasItemLists(schema) ? Ajv2019 : Ajv2020;
    const ajv = new Validator({
      strict: false,
      allErrors: false,
      validateFormats: false,
      // Names that every object inherits, as `constructor`, are not there.
      ownProperties: true,
      logger: false,
      code: { regExp: toPattern },
    });
    addLinearKeywords(ajv);
    const { $schema: _, ...keywords } = schema;
    const validate = ajv.compile(keywords);
    return { ok: true, findMistakes: (value) => findMistakes(validate, value) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Whether a schema has `items` as the drafts before 2020-12 have them: a list, where that draft has `prefixItems`. */
function hasItemLists(value: Json): boolean {
  if (isJsonList(value)) return value.some(hasItemLists);
  return isJsonObject(value) && (isJsonList(value.items) || Object.values(value).some(hasItemLists));
}

function findMistakes(validate: ValidateFunction, value: Json): SchemaMistake[] {
  try {
    if (validate(value)) return [];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [{ path: "", message: "cannot be checked: it nests too deeply, or its schema is too large" }];
  }
  return (validate.errors ?? []).map(toMistake);
}

const toMistake = ({ instancePath: path, keyword, params, message = "is not valid" }: ErrorObject): SchemaMistake => ({
  path,
  message: keyword === "minLength" && params.limit === 1 ? "must not be empty" : message,
});

/** Patterns of a schema take bounded time on any answer. Throws for a pattern that cannot guarantee it. */
const toPattern = Object.assign(
  (text: string) => {
    const pattern = compilePattern(text);
    if (!pattern.ok) throw new Error(pattern.message);
    // Ajv keeps one pattern for each of these texts.
    return { test: pattern.isFoundIn, toString: () => text };
  },
  { code: "toPattern" },
);

function parseAnswer(text: string, findMistakes: (value: Json) => readonly SchemaMistake[]): ParsedAnswer {
  if (text.length > maxAnswerLength)
    return {
      ok: false,
      message: `The answer has ${text.length} characters; at most ${maxAnswerLength} are read. Answer with a shorter JSON value.`,
    };
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
