import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterNode } from "../build-flow";
import type { Findings } from "../imported";
import type { PythonArgument } from "./pieces";
import type { TextMaker } from "./texts";
import { type DictValue, type ListValue, type PythonValue, unknownAt } from "./value";

export interface MethodCall {
  receiver: PythonValue;
  name: string;
  callArguments: readonly PythonArgument[];
  range: TextRange;
  findings: Findings;
  texts: TextMaker;
}

/** The longest list that is made of others. */
export const mostItems = 2_000;

/** Methods that leave a list, a mapping or a piece as it is. */
const readingMethods = new Set([
  ..."append count copy describe extend get get_tool_schemas index items keys run stream to_dict values".split(" "),
]);

/** What a method of a known value gives; changes that cannot be followed are remembered or reported. */
export function callMethod(call: MethodCall): PythonValue {
  const { receiver, range } = call;
  switch (receiver.type) {
    case "text":
      return callText(receiver.text, call) ?? unknownAt(range);
    case "list":
      return callList(receiver, call);
    case "dict":
      return callDict(receiver, call);
    case "piece":
      callPiece(receiver.piece, call);
      return unknownAt(range);
    default:
      return unknownAt(range);
  }
}

/** A method of an agent, group or swarm, or of something that it holds. */
export function callPiece(
  node: OrbiterNode,
  { name, range, findings }: Pick<MethodCall, "name" | "range" | "findings">,
): void {
  if (readingMethods.has(name)) return;
  const description = `a call of \`${clip(name)}\` that may change "${clip(node.name ?? "swarm")}"`;
  findings.quarantine(description, range, { effect: "lost" });
}

function callText(text: string, { name, callArguments, texts }: MethodCall): PythonValue | null {
  const items = name === "join" ? itemsOf(callArguments[0]?.value) : undefined;
  const isMethod = name !== "dedent" && callArguments.length === 0;
  const result = items ? texts.join(items, text) : isMethod ? texts.change(text, name) : null;
  return result === null ? null : { type: "text", text: result };
}

function callList(list: ListValue, { name, callArguments, range }: MethodCall): PythonValue {
  const added = callArguments[0]?.value;
  const items =
    name === "append" && callArguments.length === 1 ? added && [added] : name === "extend" ? itemsOf(added) : null;
  if (items && list.items.length + items.length <= mostItems) list.items.push(...items);
  else if (items !== null || !readingMethods.has(name)) list.changedAt ??= range;
  return name === "copy" ? { ...list, items: [...list.items] } : unknownAt(range);
}

const itemsOf = (value: PythonValue | undefined): PythonValue[] | undefined =>
  value?.type === "list" && !value.changedAt ? value.items : undefined;

function callDict(dict: DictValue, { name, range }: MethodCall): PythonValue {
  if (!readingMethods.has(name)) dict.changedAt ??= range;
  if (name !== "values" || dict.entries.length > mostItems) return unknownAt(range);
  return {
    type: "list",
    items: dict.entries.map(([, value]) => value),
    ...(dict.changedAt && { changedAt: dict.changedAt }),
  };
}
