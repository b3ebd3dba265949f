import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { ModelNote, ToolSpec } from "@/lib/core/run/ports/model";
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
  const block = content.trim();
  if (!block.startsWith("<function=")) return toCalls(parseJson(block), offered);
  const functionBlock = /^<function=([\s\S]*?)(?:<\/function>)?$/.exec(block)?.[1];
  return functionBlock === undefined ? null : readFunctionBlock(functionBlock, offered);
}

/** `name>` and the arguments: JSON, or `<parameter=key>value</parameter>`. */
function readFunctionBlock(content: string, offered: OfferedTools): TextCall[] | null {
  const [, name = "", body = ""] = /^([^<>\s]+)>([\s\S]*)$/.exec(content) ?? [];
  const tool = offered.get(name);
  if (!tool) return null;
  const argumentText = body.trim();
  if (argumentText.startsWith("{")) return toCalls({ name, arguments: argumentText }, offered);
  const entries = readParameters(tool, argumentText);
  return entries && [{ name, arguments: JSON.stringify(Object.fromEntries(entries)) }];
}

const parameterPattern = /<parameter=([^>]*)>([\s\S]*?)<\/parameter>\s*/y;

function readParameters(tool: ToolSpec, text: string): [key: string, value: Json][] | null {
  const entries: [string, Json][] = [];
  for (parameterPattern.lastIndex = 0; parameterPattern.lastIndex < text.length; ) {
    const [, key, value = ""] = parameterPattern.exec(text) ?? [];
    if (key === undefined) return null;
    entries.push([key, readParameter(tool, key, value.replace(/^\r?\n|\r?\n$/g, ""))]);
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
  const [text = "", ...textsAfterCall] = content.split(/<\|e(?:om|ot)_id\|>/);
  if (textsAfterCall.some((textAfterCall) => textAfterCall.trim() !== "")) return null;
  const single = toCalls(parseJson(text), offered);
  return single ?? joinAll(text.split(/;(?=\s*\{)/).map((callText) => toCalls(parseJson(callText), offered)));
}

/** All calls of all parts; null when a part has none. */
const joinAll = (callLists: readonly (TextCall[] | null)[]): TextCall[] | null =>
  callLists.every((callList) => callList !== null) ? callLists.flat() : null;

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
  const argumentsValue = value.arguments ?? value.parameters ?? {};
  const parsedArguments = typeof argumentsValue === "string" ? parseJson(argumentsValue) : argumentsValue;
  return isObject(parsedArguments) ? { name, arguments: JSON.stringify(parsedArguments) } : null;
}

const bareKeys: ReadonlySet<string> = new Set(["type", "id", "name", "arguments", "parameters"]);
const isBareCall = (value: Json): value is JsonObject =>
  isObject(value) &&
  (value.arguments ?? value.parameters ?? null) !== null &&
  (value.type === undefined || value.type === "function") &&
  Object.keys(value).every((key) => bareKeys.has(key));

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
  const { key, keyEnd, text, textEnd, other: otherCharacter } = match.groups ?? {};
  if (key === undefined) return true;
  if (keyEnd === undefined) return [...bareKeys].some((bareKey) => bareKey.startsWith(key));
  if (key !== "name") return bareKeys.has(key);
  if (otherCharacter !== undefined) return false;
  if (text === undefined) return true;
  return textEnd === undefined ? [...offered.keys()].some((name) => name.startsWith(text)) : offered.has(text);
}

/** How calls begin that models write as text: Hermes, Qwen, Llama, Mistral, Phi, Granite, DeepSeek, Kimi, Claude. */
const beginPattern =
  /<tool_call>\s*[{<]|<function=[^<>\s]+>|\[TOOL_CALLS\](?:\s*[[{]|[\w.-]+[[{])|<\|python_tag\|>|<\|tool_calls?(?:_section)?(?:_begin)?\|>|<｜tool▁calls?▁begin｜>|<invoke name="/;

/** A warning for an answer that holds a tool call as text outside of code, or ends with the JSON of one. Null: it holds none. */
export function warnOfTextCall(answer: string, tools: readonly ToolSpec[]): ModelNote | null {
  const hasTag = beginPattern.test(answer) && beginPattern.test(withoutCode(answer));
  if (!hasTag && !endsWithJsonCall(answer, tools)) return null;
  return {
    code: "tool-call-in-text",
    message:
      "The answer holds a tool call written as text, which was not run. Use a model or a server that supports tool calls, or turn on tool calls in the server (its template or parser).",
  };
}

const withoutCode = (text: string): string =>
  text.replace(/^ {0,3}```[\s\S]*?(?:^ {0,3}```|(?![\s\S]))/gm, "").replace(/`[^`\n]*`/g, "");

/** Whether an answer ends with lines, maybe of a fenced block, that are the JSON of a call of an offered tool. */
function endsWithJsonCall(answer: string, tools: readonly ToolSpec[]): boolean {
  const text = `\n${answer.trimEnd().replace(/```$/, "").trimEnd()}`;
  if (tools.length === 0 || !/[}\]]$/.test(text)) return false;
  const start = Math.max(text.lastIndexOf("\n{"), text.lastIndexOf("\n["));
  const calls = start < 0 ? [] : [parseJson(text.slice(start)) ?? []].flat().filter(isBareCall);
  return calls.some((call) => tools.some(({ name }) => name === call.name));
}
