import type { FieldTexts, Flow } from "./flow";
import { namePlaces } from "./template-variables";
import type { Range } from "./text-range";

export type Variables = Flow["vars"];
export type VariableValue = string | number | boolean;

/** What a text with look-ups comes to. `unknown`: where it looks up variables that are not there. */
export type Filled =
  | { type: "value"; value: VariableValue }
  | { type: "unknown"; places: readonly (Range & { name: string })[] }
  | { type: "too-long" };

/** Longest text that look-ups may make of a field, in UTF-16 units. */
export const longestFilled = 10_000;

const [open, close] = ["${vars.", "}"];

/** Whether a text looks up a variable. */
export const looksUpVariable = (text: string): boolean => text.includes(open) && namePlaces(text, "vars").length > 0;

/**
 * Puts variables into a text. A text that is one look-up and nothing else takes the variable's own type. What was put in
 * is not read again, so variables that name each other end here.
 */
export function fillVariables(text: string, vars: Variables): Filled {
  const places = namePlaces(text, "vars");
  const unknown = places.filter(({ name }) => !vars.has(name));
  if (unknown.length > 0) return { type: "unknown", places: unknown };
  let filled = "";
  let end = 0;
  for (const { name, from, to } of places) {
    const value = vars.get(name) ?? "";
    const [start, next] = [from - open.length, to + close.length];
    if (start === 0 && next === text.length) return { type: "value", value };
    filled += text.slice(end, start) + String(value);
    if (filled.length > longestFilled) return { type: "too-long" };
    end = next;
  }
  return { type: "value", value: filled + text.slice(end) };
}

/** A field as the file has it: the text with its look-ups, or else its value. */
export const asWritten = <T>({ written }: FieldTexts, field: string, value: T): T | string => written?.[field] ?? value;
