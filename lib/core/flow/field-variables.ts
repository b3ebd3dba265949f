import type { FieldTexts, Flow } from "./flow";
import { namePlaces } from "./template-variables";
import type { TextRange } from "./text-range";

export type Variables = Flow["vars"];
export type VariableValue = string | number | boolean;

/** The result of filling a text. `unknown`: the ranges of variables that do not exist. */
export type FilledField =
  | { type: "value"; value: VariableValue }
  | { type: "unknown"; places: readonly (TextRange & { name: string })[] }
  | { type: "too-long" };

/** Maximum length of a filled field, in UTF-16 units. */
export const longestFilled = 10_000;

const [open, close] = ["${vars.", "}"];

/** Whether a text looks up a variable. */
export const looksUpVariable = (text: string): boolean => text.includes(open) && namePlaces(text, "vars").length > 0;

/**
 * Replaces the variables of a text by their values. A text that is a single variable has the type of its value. Values are
 * not expanded again, so variables that refer to each other do not loop.
 */
export function fillVariables(text: string, vars: Variables): FilledField {
  const places = namePlaces(text, "vars");
  const unknown = places.filter(({ name }) => !vars.has(name));
  if (unknown.length > 0) return { type: "unknown", places: unknown };
  let filled = "";
  let end = 0;
  for (const { name, ...range } of places) {
    const value = vars.get(name) ?? "";
    const [start, next] = [range.from - open.length, range.to + close.length];
    if (start === 0 && next === text.length) return { type: "value", value };
    filled += text.slice(end, start) + String(value);
    if (filled.length > longestFilled) return { type: "too-long" };
    end = next;
  }
  return { type: "value", value: filled + text.slice(end) };
}

/** A field as the file has it: the text with its look-ups, or else its value. */
export const asWritten = <T>({ written }: FieldTexts, field: string, value: T): T | string => written?.[field] ?? value;
