import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import { humanInputNote } from "../imported";
import type { PythonContext } from "./python-context";
import type { TextMaker } from "./texts";
import {
  type DictValue,
  itemsOf,
  type ListValue,
  type PythonArgument,
  type PythonCall,
  type PythonValue,
  unknownAt,
} from "./value";

/** The longest list that is made of others. */
export const mostItems = 2_000;

/** Methods that leave a list, a mapping or an agent as it is. */
const readingMethods = new Set([
  ..."append count copy describe extend get get_tool_schemas index items keys run stream to_dict values".split(" "),
]);

/** What a method of a known value gives; changes that cannot be followed are remembered or reported. */
export function callMethod(receiver: PythonValue, call: PythonCall, context: PythonContext): PythonValue {
  if (receiver.type === "orbiter-node") callNodeMethod(receiver.node, call, context);
  const result =
    receiver.type === "text"
      ? callText(receiver.text, call, context.texts)
      : receiver.type === "list"
        ? callList(receiver, call)
        : receiver.type === "dict"
          ? callDict(receiver, call)
          : null;
  return result ?? unknownAt(call.range);
}

/** A method of an agent, group or swarm, or of something that it holds. */
export function callNodeMethod(node: OrbiterNode, { name, range }: PythonCall, { findings }: PythonContext): void {
  if (readingMethods.has(name)) return;
  const description = `a call of \`${clip(name)}\` that may change "${clip(node.name ?? "swarm")}"`;
  findings.quarantine(description, range, { effect: "lost" });
}

function callText(text: string, { name, arguments: callArguments }: PythonCall, texts: TextMaker): PythonValue | null {
  const items = name === "join" ? itemsOf(callArguments[0]?.value) : null;
  const isMethod = name !== "dedent" && callArguments.length === 0;
  const result = items ? texts.join(items, text) : isMethod ? texts.change(text, name) : null;
  return result === null ? null : { type: "text", text: result };
}

function callList(list: ListValue, { name, arguments: callArguments, range }: PythonCall): PythonValue | null {
  const values = callArguments.map(({ value }) => value);
  if (name === "append") extendList(list, values, range);
  else if (name === "extend") extendList(list, itemsOf(values[0]), range);
  else if (!readingMethods.has(name)) list.changedAt ??= range;
  return name === "copy" ? { ...list, items: [...list.items] } : null;
}

/** Adds items to a list; null: they are not known. */
export function extendList(list: ListValue, items: readonly PythonValue[] | null, range: TextRange): void {
  if (items && list.items.length + items.length <= mostItems) list.items.push(...items);
  else list.changedAt ??= range;
}

function callDict(dict: DictValue, { name, range }: PythonCall): PythonValue | null {
  if (!readingMethods.has(name)) dict.changedAt ??= range;
  if (name !== "values" || dict.entries.length > mostItems) return null;
  const items = dict.entries.map(([, value]) => value);
  return { type: "list", items, ...(dict.changedAt && { changedAt: dict.changedAt }) };
}

/** A call of a constructor or function of Orbiter or of Python itself, with or without the name of its module. */
export function callKnown(call: PythonCall, { constructors, findings, nodes, texts }: PythonContext): PythonValue {
  const { arguments: callArguments, range } = call;
  const type = constructors.find(call.name);
  if (type) return nodes.construct(type, call);
  const value = callArguments[0]?.value;
  switch (constructors.originalName(call.name)) {
    case "dedent": {
      const text = value?.type === "text" ? texts.change(value.text, "dedent") : null;
      return text === null ? unknownAt(range) : { type: "text", text };
    }
    case "list":
    case "tuple":
      return value?.type === "list" && value.items.length <= mostItems
        ? { ...value, items: [...value.items] }
        : unknownAt(range);
    case "dict":
      return { type: "dict", entries: callArguments.map((argument) => [keyOf(argument, range), argument.value]) };
    case "HumanInputTool":
      for (const argument of callArguments)
        if (argument.value.type !== "none") {
          // How the person is reached is a matter of where it runs.
          const effect = argument.name === "handler" ? "note" : "lost";
          findings.quarantine(`argument ${argument.name} of HumanInputTool`, argument.range, { effect });
        }
      findings.note("name-taken", humanInputNote, range);
      return { type: "tool", name: "ask_human", code: null };
    case "FunctionTool":
      return toTool(call);
    default:
      return unknownAt(range);
  }
}

const keyOf = ({ name }: PythonArgument, range: TextRange): PythonValue =>
  name === "" ? unknownAt(range) : { type: "text", text: name };

/** `FunctionTool(function, name="…")` */
function toTool({ arguments: callArguments, range }: PythonCall): PythonValue {
  const called = callArguments.find(({ name }) => name === "" || name === "fn")?.value;
  const name = callArguments.find((argument) => argument.name === "name")?.value;
  if (called?.type !== "function") return unknownAt(range);
  return { type: "tool", name: name?.type === "text" ? name.text : called.toolName, code: called.code };
}
