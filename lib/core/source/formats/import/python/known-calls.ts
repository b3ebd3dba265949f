import type { TextRange } from "../../../../flow/text-range";
import { humanInputNote } from "../imported";
import { mostItems } from "./methods";
import type { PythonContext } from "./python-context";
import { type PythonArgument, type PythonCall, type PythonValue, unknownAt } from "./value";

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
