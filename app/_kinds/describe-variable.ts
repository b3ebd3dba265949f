import type { VariableValue } from "@/lib/core/flow/field-variables";
import { clip } from "@/lib/core/flow/text-range";

/** What a field's text comes to, where it looks up variables. */
export function describeVariable(written: string | undefined, value: VariableValue | undefined): string | undefined {
  if (written === undefined) return undefined;
  if (value === undefined) return "= nothing yet: its variable is missing.";
  return `= ${clip(String(value).replaceAll("\n", "\\n"))}`;
}

/** Several hints on one line. */
export const joinHints = (...hints: readonly (string | undefined)[]): string =>
  hints.filter((hint) => hint !== undefined && hint !== "").join(" · ");
