import type { Json } from "../../flow/flow";
import { fillWithin, longestFilled } from "../../flow/template-variables";
import type { RunError } from "../events/events";
import { type Engine, outputsAtStart } from "../scope/engine";

/** Whose instructions are filled, with the path of its node. */
interface InstructedNode {
  name: string;
  instructions: string;
  path: string;
}

/**
 * Fills the template variables of instructions: `${input}`, `${date}` (today in UTC, as 2026-11-21), `${vars.NAME}`, and
 * `${outputs.NAME}`, empty unless NAME had finished when the node began. Unknown variables stay as written. An error when the filled text is
 * far too long.
 */
export function fillInstructions(
  engine: Engine,
  { name, instructions, path }: InstructedNode,
  input: string,
): string | RunError {
  if (!instructions.includes("${")) return instructions;
  const { flow, context } = engine;
  const outputs = outputsAtStart(engine, path);
  const { text, complete } = fillWithin(instructions, (lookUp) => {
    switch (lookUp.type) {
      case "input":
        return input;
      case "date":
        return today.format(context.now());
      case "var": {
        const value = flow.vars.get(lookUp.name);
        return value === undefined ? null : String(value);
      }
      case "output":
        return toPlainText(outputs.get(lookUp.name) ?? "");
    }
  });
  if (complete) return text;
  const message = `The instructions of "${name}" have more than ${longestFilled} characters once their variables are filled in. Use \${input} and the like fewer times.`;
  return { code: "limit", message };
}

/** Writes a day as 2026-11-21. */
const today = new Intl.DateTimeFormat("en-CA", { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });

/** A value as the input of a node: text as it is, anything else as JSON. */
export const toPlainText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));
