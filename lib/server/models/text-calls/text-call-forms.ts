import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ToolSpec } from "@/lib/core/run/ports/model";
import { isObject, type JsonObject, parseJson, textOf } from "../json";

/** A tool call that came as text; `arguments` is the JSON text of an object. */
export interface TextCall {
  name: string;
  arguments: string;
}

/** The tools that a request offers, by name. */
export type OfferedTools = ReadonlyMap<string, ToolSpec>;

/** Reads what follows an opening tag, without it and without the closing tag. Null: no call of an offered tool. */
type ReadCalls = (content: string, offered: OfferedTools) => TextCall[] | null;

/**
 * How models write calls as text. A form with a `close` consists of blocks, each between the tags, the last one maybe
 * without its closing tag; without a `close` it reaches to the end of the answer.
 */
export interface TextCallForm {
  open: string;
  close?: string;
  read: ReadCalls;
}

export const textCallForms: readonly TextCallForm[] = [
  // Hermes, Qwen: {"name": …, "arguments": {…}}; Qwen3-Coder: a function block.
  { open: "<tool_call>", close: "</tool_call>", read: readTaggedCall },
  // Llama 3.1: JSON arguments; Qwen3-Coder: parameter tags. The tag itself holds the name.
  { open: "<function=", close: "</function>", read: readFunctionBlock },
  // Mistral: a list of calls, or since v11 `name[ARGS]{…}`.
  { open: "[TOOL_CALLS]", read: readMistralCalls },
  // Llama 3: {"name": …, "parameters": {…}}, several separated by semicolons.
  { open: "<|python_tag|>", read: readLlamaCalls },
];

function readTaggedCall(content: string, offered: OfferedTools): TextCall[] | null {
  const inner = content.trim();
  if (!inner.startsWith("<function=")) return toCalls(parseJson(inner), offered);
  const block = /^<function=([\s\S]*?)(?:<\/function>)?$/.exec(inner)?.[1];
  return block === undefined ? null : readFunctionBlock(block, offered);
}

/** `name>` and the arguments: JSON, or `<parameter=key>value</parameter>`. */
function readFunctionBlock(content: string, offered: OfferedTools): TextCall[] | null {
  const [, name = "", body = ""] = /^([^<>\s]+)>([\s\S]*)$/.exec(content) ?? [];
  const tool = offered.get(name);
  if (!tool) return null;
  const inner = body.trim();
  if (inner.startsWith("{")) return toCalls({ name, arguments: inner }, offered);
  const entries = readParameters(tool, inner);
  return entries && [{ name, arguments: JSON.stringify(Object.fromEntries(entries)) }];
}

const [openParameter, closeParameter] = ["<parameter=", "</parameter>"];

function readParameters(tool: ToolSpec, text: string): [key: string, value: Json][] | null {
  const entries: [string, Json][] = [];
  for (let from = 0; from < text.length; ) {
    const named = text.indexOf(">", from);
    const end = text.indexOf(closeParameter, named);
    if (!text.startsWith(openParameter, from) || named < 0 || end < 0) return null;
    const key = text.slice(from + openParameter.length, named);
    entries.push([key, readParameter(tool, key, text.slice(named + 1, end).replace(/^\r?\n|\r?\n$/g, ""))]);
    from = end + closeParameter.length;
    while (/\s/.test(text.charAt(from))) from++;
  }
  return entries;
}

/** A parameter's value as its schema types it: a text, or JSON. */
function readParameter({ parameters }: ToolSpec, key: string, value: string): Json {
  const { properties } = parameters;
  const schema = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const type = isObject(schema) ? schema.type : undefined;
  return type === undefined || type === "string" ? value : (parseJson(value) ?? value);
}

function readMistralCalls(content: string, offered: OfferedTools): TextCall[] | null {
  const calls = content.split("[TOOL_CALLS]").map((text) => {
    const [, name, body = ""] = /^\s*([\w.-]+)(?:\[CALL_ID\]\w+)?(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(text) ?? [];
    return name === undefined ? toCalls(parseJson(text), offered) : toCalls({ name, arguments: body }, offered);
  });
  return joinAll(calls);
}

function readLlamaCalls(content: string, offered: OfferedTools): TextCall[] | null {
  const [text = "", ...rest] = content.split(/<\|e(?:om|ot)_id\|>/);
  if (rest.some((after) => after.trim() !== "")) return null;
  const single = toCalls(parseJson(text), offered);
  return single ?? joinAll(text.split(/;(?=\s*\{)/).map((part) => toCalls(parseJson(part), offered)));
}

/** All calls of all parts; null when a part has none. */
const joinAll = (parts: readonly (TextCall[] | null)[]): TextCall[] | null =>
  parts.every((part) => part !== null) ? parts.flat() : null;

/** A JSON value as calls: one, or a list of them. Null unless each is a call of an offered tool. */
function toCalls(value: Json | undefined, offered: OfferedTools): TextCall[] | null {
  const values = Array.isArray(value) ? value : [value];
  const calls = values.map((item) => (isObject(item) ? toCall(item, offered) : null));
  return calls.length > 0 && calls.every((call) => call !== null) ? calls : null;
}

/** The arguments may be an object, the JSON text of one, or missing. */
function toCall(value: JsonObject, offered: OfferedTools): TextCall | null {
  const name = textOf(value.name);
  if (name === undefined || !offered.has(name)) return null;
  const given = value.arguments ?? value.parameters ?? {};
  const read = typeof given === "string" ? parseJson(given) : given;
  return isObject(read) ? { name, arguments: JSON.stringify(read) } : null;
}

const bareKeys: ReadonlySet<string> = new Set(["type", "id", "name", "arguments", "parameters"]);
const isBareCall = (value: Json): boolean =>
  isObject(value) &&
  (value.arguments ?? value.parameters ?? null) !== null &&
  (value.type === undefined || value.type === "function") &&
  Object.keys(value).every((key) => bareKeys.has(key));

/** Whether a text is the JSON of calls of these tools, whatever their arguments are. */
export const isCallJson = (text: string, names: ReadonlySet<string>): boolean =>
  [parseJson(text) ?? []]
    .flat()
    .some((value) => isObject(value) && isBareCall(value) && typeof value.name === "string" && names.has(value.name));

const fencePattern = /^```(?:json|tool_call)?[ \t]*\r?\n([\s\S]*?)\r?\n?```$/;

/** An answer that is nothing but the JSON of calls, maybe as one fenced block: name, arguments and nothing else. */
export function readBareCalls(answer: string, offered: OfferedTools): TextCall[] | null {
  const text = answer.trim();
  const value = parseJson(fencePattern.exec(text)?.[1] ?? text);
  return value !== undefined && [value].flat().every(isBareCall) ? toCalls(value, offered) : null;
}

const headFence = /^```(?:json|tool_call)?[ \t]*\r?\n/;
/** The beginning of a JSON object, or of a list of them, up to its first value. */
const headPattern =
  /^(?:\[\s*)?(?:$|\{\s*(?:$|"(?<key>[^"]*)(?:$|(?<keyEnd>")\s*(?:$|:\s*(?:$|"(?<text>[^"]*)(?:$|(?<textEnd>"))|(?<other>[^\s"]))))))/;

/** Whether an answer that begins so, without white space before it, may become the JSON of calls. */
export function mayBeBareCalls(head: string, offered: OfferedTools): boolean {
  if (["```json\n", "```json\r\n", "```tool_call\n", "```\n", "```\r\n"].some((open) => open.startsWith(head)))
    return true;
  const match = headPattern.exec(head.replace(headFence, "").trimStart());
  if (!match) return false;
  const { key, keyEnd, text, textEnd, other } = match.groups ?? {};
  if (key === undefined) return true;
  if (keyEnd === undefined) return [...bareKeys].some((known) => known.startsWith(key));
  if (key !== "name") return bareKeys.has(key);
  if (other !== undefined) return false;
  if (text === undefined) return true;
  return textEnd === undefined ? [...offered.keys()].some((name) => name.startsWith(text)) : offered.has(text);
}
