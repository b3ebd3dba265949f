import type { VariableValue } from "@/lib/core/flow/field-variables";
import { clip } from "@/lib/core/flow/text-range";

export function describeVariable(written: string | undefined, value: VariableValue | undefined): string | undefined {
  if (written === undefined) return undefined;
  if (value === undefined) return "= undefined: the variable is missing.";
  return `= ${clip(String(value).replaceAll("\n", "\\n"))}`;
}

export const joinHints = (...hints: readonly (string | undefined)[]): string =>
  hints.filter((hint) => hint !== undefined && hint !== "").join(" · ");
