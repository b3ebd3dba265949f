import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import type { PythonContext } from "./python-context";
import type { TextMaker } from "./texts";
import { type DictValue, itemsOf, type ListValue, type PythonCall, type PythonValue, unknownAt } from "./value";

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
