import "server-only";
import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isObject, type JsonObject, textOf, textsIn } from "../json";
import { findSum, numbersIn, rankByWords } from "./reading";

/** What values for a schema are taken from. */
export interface Hints {
  /** Instructions and input. */
  prompt: string;
  /** The content of texts for which nothing better is known. */
  topic: string;
  /** Take the n-th of several fitting values, from 0. */
  turn: number;
  /** Fill every property, not only those that are required or that the prompt speaks of. */
  fillAll: boolean;
}

const maxDepth = 8;

/** What a whole sample may cost: characters of its texts, and so many for each of its values. */
const maxCost = 1_000_000;
const valueCost = 100;

/**
 * A value that fits a JSON Schema, filled from the prompt where it has a fitting text, else with defaults. Of a
 * schema that asks for far too much only the beginning is filled.
 */
export function sampleSchema(schema: JsonSchema, hints: Hints): Json {
  return sampleValue({ root: schema, hints, budget: { left: maxCost } }, schema, "", 0);
}

interface SampleScope {
  root: JsonSchema;
  hints: Hints;
  /** Shared by all values of one sample. */
  budget: { left: number };
}

function sampleValue(scope: SampleScope, schema: Json | undefined, name: string, depth: number): Json {
  scope.budget.left -= valueCost;
  if (scope.budget.left < 0) return null;
  const value = chooseValue(scope, schema, name, depth);
  if (typeof value === "string") scope.budget.left -= value.length;
  return value;
}

function chooseValue(scope: SampleScope, unresolved: Json | undefined, name: string, depth: number): Json {
  const schema = resolve(scope.root, unresolved);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return chooseFrom(schema.enum, scope.hints) ?? null;
  if (schema.default !== undefined) return schema.default;
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(scope, schema, depth);
    case "array":
      return sampleArray(scope, schema, name, depth);
    case "integer":
    case "number":
      return sampleNumber(schema, scope.hints);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleText(schema, name, scope.hints);
  }
}

/** The schema that is meant: local references followed, the first alternative taken, all parts of `allOf` merged. */
function resolve(root: JsonSchema, unresolved: Json | undefined): JsonObject {
  let schema: JsonObject = isObject(unresolved) ? unresolved : {};
  for (let step = 0; step < maxDepth; step++) {
    const { $ref, anyOf, oneOf, allOf, ...otherKeywords } = schema;
    const alternatives = Array.isArray(anyOf) ? anyOf : oneOf;
    if (typeof $ref === "string") schema = { ...otherKeywords, ...lookUp(root, $ref) };
    else if (Array.isArray(alternatives)) schema = { ...otherKeywords, ...preferred(alternatives) };
    else if (Array.isArray(allOf))
      schema = allOf.reduce((merged: JsonObject, subschema) => merge(merged, resolve(root, subschema)), otherKeywords);
    else break;
  }
  return schema;
}

const preferred = (alternatives: readonly Json[]): JsonObject => {
  const objects = alternatives.filter(isObject);
  return objects.find((alternative) => alternative.type !== "null") ?? objects[0] ?? {};
};

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const required = [a.required, b.required].flatMap(textsIn);
  const properties = { ...(isObject(a.properties) && a.properties), ...(isObject(b.properties) && b.properties) };
  return { ...a, ...b, properties, required };
}

/** What a reference such as `#/$defs/person` points to. */
function lookUp(root: JsonSchema, reference: string): JsonObject {
  const segments = reference.replace(/^#\/?/, "").split("/").filter(Boolean);
  let target: Json | undefined = root;
  for (const segment of segments) {
    const key = segment.replaceAll("~1", "/").replaceAll("~0", "~");
    target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
  }
  return isObject(target) ? target : {};
}

function typeOf(schema: JsonObject): Json | undefined {
  const { type } = schema;
  if (Array.isArray(type)) return type.find((typeName) => typeName !== "null") ?? "null";
  if (type !== undefined) return type;
  if (schema.properties !== undefined) return "object";
  if (schema.items !== undefined) return "array";
  return schema.minimum !== undefined || schema.maximum !== undefined ? "number" : undefined;
}

function sampleObject(scope: SampleScope, schema: JsonObject, depth: number): Json {
  const required = new Set(textsIn(schema.required));
  const properties = new Map(Object.entries(isObject(schema.properties) ? schema.properties : {}));
  for (const name of required) if (!properties.has(name)) properties.set(name, {});
  const sampledProperties = [...properties].filter(([name, property]) => {
    if (required.has(name)) return true;
    if (depth >= maxDepth) return false;
    return scope.hints.fillAll || isMentioned(resolve(scope.root, property), name, scope.hints);
  });
  if (depth > 2 * maxDepth) return {};
  return Object.fromEntries(
    sampledProperties.map(([name, property]) => [name, sampleValue(scope, property, name, depth + 1)]),
  );
}

function sampleArray(scope: SampleScope, schema: JsonObject, name: string, depth: number): Json {
  const least = numberOr(schema.minItems, 0);
  const most = numberOr(schema.maxItems, Number.POSITIVE_INFINITY);
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : [];
  const preferredCount = depth >= maxDepth ? least : Math.max(least, prefix.length, scope.hints.fillAll ? 2 : 1);
  const count = Math.min(preferredCount, most, 100);
  const values = Array.from({ length: count }, (_, turn) =>
    sampleValue({ ...scope, hints: { ...scope.hints, turn } }, prefix[turn] ?? schema.items, name, depth + 1),
  );
  if (schema.uniqueItems !== true) return values;
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

function sampleNumber(schema: JsonObject, hints: Hints): number {
  const isInteger = schema.type === "integer" || (Array.isArray(schema.type) && schema.type.includes("integer"));
  const step = numberOr(schema.multipleOf, isInteger ? 1 : 0);
  const tiny = step || 1;
  const infinity = Number.POSITIVE_INFINITY;
  const least = Math.max(numberOr(schema.minimum, -infinity), numberOr(schema.exclusiveMinimum, -infinity) + tiny);
  const most = Math.min(numberOr(schema.maximum, infinity), numberOr(schema.exclusiveMaximum, infinity) - tiny);
  const fittingNumbers = numbersIn(hints.prompt)
    .map(Number)
    .filter((number) => number >= least && number <= most && (!isInteger || Number.isInteger(number)));
  const value = fittingNumbers[hints.turn] ?? fittingNumbers[0] ?? Math.min(Math.max(1, least), most);
  return step > 0 ? Math.max(Math.floor(value / step), Math.ceil(least / step)) * step : value;
}

const numberOr = (value: Json | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

const zonePattern =
  /\b(?:UTC|(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Z]\w+(?:\/[A-Z]\w+)?)\b/;
const urlPattern = /\bhttps?:\/\/[^\s"'<>()]+[^\s"'<>().,;:!?]/g;

/** Whether the prompt contains a text for this property in particular. */
const isMentioned = (schema: JsonObject, name: string, hints: Hints): boolean =>
  typeOf(schema) === "string" && findText(schema, name, hints) !== undefined;

/** A text that the prompt holds for a property of this name, format or list of examples. */
function findText(schema: JsonObject, name: string, hints: Hints): string | undefined {
  const { prompt, turn } = hints;
  if (/expression|formula|equation|calculation|\bsum\b/i.test(name)) return findSum(prompt) ?? undefined;
  if (/zone|\btz\b/i.test(name)) return zonePattern.exec(prompt)?.[0];
  if (schema.format === "uri" || /\b(?:url|uri|link|href)\b/i.test(name)) {
    const urls = prompt.match(urlPattern) ?? [];
    return urls[turn] ?? urls[0];
  }
  return namedIn(prompt, textsIn(schema.examples))[turn];
}

/** Those of `names` that occur in the text, in order of occurrence. */
export function namedIn(text: string, names: readonly string[]): string[] {
  const lower = text.toLowerCase();
  const indexOf = (name: string): number => lower.indexOf(name.toLowerCase());
  return names.filter((name) => indexOf(name) >= 0).sort((a, b) => indexOf(a) - indexOf(b));
}

/** The value that shares most words with the prompt, the first of equals; on later turns the next ones. */
function chooseFrom(values: readonly Json[], hints: Hints): Json | undefined {
  return rankByWords(values, (value) => textOf(value) ?? "", hints.prompt)[hints.turn % values.length];
}

/** Texts for formats of JSON Schema; fixed, because a simulated answer never looks at the clock. */
const formats = new Map([
  ["date", "2026-01-01"],
  ["date-time", "2026-01-01T12:00:00Z"],
  ["time", "12:00:00Z"],
  ["duration", "P1D"],
  ["email", "demo@example.com"],
  ["hostname", "example.com"],
  ["ipv4", "192.0.2.1"],
  ["ipv6", "2001:db8::1"],
  ["uri", "https://example.com/"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

function sampleText(schema: JsonObject, name: string, hints: Hints): string {
  const examples = Array.isArray(schema.examples) ? chooseFrom(schema.examples, hints) : undefined;
  const format = typeof schema.format === "string" ? formats.get(schema.format) : undefined;
  const fixed = findText(schema, name, hints) ?? textOf(examples) ?? format;
  if (fixed !== undefined) return fixed;
  if (/expression|formula|equation|calculation|\bsum\b/i.test(name)) return "1 + 1";
  const quoted = hints.fillAll ? undefined : quotedIn(hints.prompt)[hints.turn];
  const counted = hints.turn > 0 ? `${hints.turn + 1}: ${hints.topic}` : hints.topic;
  return fitLength(quoted ?? counted, schema);
}

const quotedIn = (text: string): string[] =>
  [...text.matchAll(/"([^"\n]{1,200})"|“([^”\n]{1,200})”|`([^`\n]{1,200})`/g)].flatMap(
    (match) => match[1] ?? match[2] ?? match[3] ?? [],
  );

function fitLength(text: string, schema: JsonObject): string {
  const least = Math.min(numberOr(schema.minLength, 0), 10_000);
  const most = numberOr(schema.maxLength, Number.POSITIVE_INFINITY);
  return [...text.padEnd(least, ".")].slice(0, most).join("");
}
