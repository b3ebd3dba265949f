import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isJsonObject, parseJson } from "@/lib/core/flow/parse-json";
import { readFields, type SchemaField } from "@/lib/core/flow/schema-fields";
import { canonicalJson } from "@/lib/core/run/loop/tool-signature";

export type ArgumentsDraft =
  | {
      type: "fields";
      fields: readonly SchemaField[];
      texts: Readonly<Record<string, string>>;
      /** The arguments before they are edited. */
      original: string;
    }
  | { type: "json"; text: string };

export interface ArgumentsProblem {
  field: string;
  message: string;
}

export function startArguments(schema: JsonSchema | undefined, text: string): ArgumentsDraft {
  const values = parseObject(text);
  const declared = schema ? readFields(schema) : "no schema";
  if (!values || typeof declared === "string") return { type: "json", text };
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = [...values.keys()].filter((name) => !names.has(name));
  const fields = [...declared, ...undeclared.map(toUndeclaredField)];
  const entries = fields.map((field): [string, string] => [field.name, toText(field, values.get(field.name))]);
  return { type: "fields", fields, texts: Object.fromEntries(entries), original: text };
}

const jsonName = "";

/** The texts of the fields by their names. */
export const textsOf = (draft: ArgumentsDraft): Readonly<Record<string, string>> =>
  draft.type === "json" ? { [jsonName]: draft.text } : draft.texts;

export const withTexts = (draft: ArgumentsDraft, texts: Readonly<Record<string, string>>): ArgumentsDraft =>
  draft.type === "json" ? { ...draft, text: texts[jsonName] ?? draft.text } : { ...draft, texts };

export function readArgumentsDraft(
  draft: ArgumentsDraft,
): { ok: true; text: string } | { ok: false; problems: ArgumentsProblem[] } {
  if (draft.type === "json")
    return parseObject(draft.text)
      ? { ok: true, text: draft.text }
      : { ok: false, problems: [{ field: "", message: "Expected a JSON object." }] };
  const values = new Map(parseObject(draft.original));
  // An empty text can be an empty value or none, and a value need not fit the schema: only edited fields are read.
  const isEdited = (field: SchemaField): boolean =>
    (draft.texts[field.name] ?? "") !== toText(field, values.get(field.name));
  if (!draft.fields.some(isEdited)) return { ok: true, text: draft.original };
  const problems: ArgumentsProblem[] = [];
  for (const field of draft.fields) {
    if (values.has(field.name) && !isEdited(field)) continue;
    const read = readField(field, draft.texts[field.name] ?? "");
    if (!read.ok) problems.push({ field: field.name, message: read.message });
    else if (read.value === undefined) values.delete(field.name);
    else values.set(field.name, read.value);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, text: JSON.stringify(Object.fromEntries(values)) };
}

export const hasSameArguments = (older: string, second: string): boolean =>
  canonicalJson(older) === canonicalJson(second);

export const isJsonField = ({ type }: SchemaField): boolean => type === "object" || type === "array";

const toUndeclaredField = (name: string): SchemaField => ({
  name,
  type: "object",
  required: false,
  description: "",
  choices: [],
  more: [],
});

function toText(field: SchemaField, value: Json | undefined): string {
  if (value === undefined) return "";
  if (typeof value === "string" && field.type === "string") return value;
  return JSON.stringify(value, null, isJsonField(field) ? 2 : undefined);
}

type ArgumentResult = { ok: true; value: Json | undefined } | { ok: false; message: string };

function readField(field: SchemaField, text: string): ArgumentResult {
  const { type, required, choices } = field;
  if (type === "string" && choices.length === 0)
    return { ok: true, value: text === "" && !required ? undefined : text };
  if (text.trim() === "") return required ? { ok: false, message: "Required." } : { ok: true, value: undefined };
  if (type === "string") return { ok: true, value: text };
  const value = parseJson(text);
  if (value === undefined || !fits(type, value)) return { ok: false, message: expectations[type] };
  return { ok: true, value };
}

function fits(type: Exclude<SchemaField["type"], "string">, value: Json): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      // An argument that the schema does not declare may be any JSON value.
      return true;
    default:
      return typeof value === type;
  }
}

const expectations: Record<Exclude<SchemaField["type"], "string">, string> = {
  number: "Expected a number.",
  integer: "Expected a whole number.",
  boolean: "Expected true or false.",
  array: "Expected a JSON list.",
  object: "Expected a JSON value.",
};

function parseObject(text: string): Map<string, Json> | null {
  const value = text.trim() === "" ? {} : parseJson(text);
  return isJsonObject(value) ? new Map(Object.entries(value)) : null;
}
