import type { Flow } from "@/lib/core/flow/flow";
import { formatCount } from "@/lib/core/flow/format-count";
import { nearest } from "@/lib/core/flow/suggest-name";
import { canLookUp, lookUpPlaces } from "@/lib/core/flow/template-variables";
import type { TextRange } from "@/lib/core/flow/text-range";
import { declaredNames } from "@/lib/core/kinds/members";

export interface Variable {
  written: string;
  about: string;
}

const write = (name: string): string => `\${${name}}`;

/** `before`: the names that have an output when the step starts. */
export function listVariables(flow: Flow, before: readonly string[]): Variable[] {
  const later = declaredNames(flow).filter((name) => !before.includes(name));
  const toOutput = (name: string, about: string): Variable[] =>
    canLookUp(name) ? [{ written: write(`outputs.${name}`), about }] : [];
  return [
    { written: write("input"), about: "input of this step" },
    ...[...flow.vars].map(([name, value]) => ({ written: write(`vars.${name}`), about: String(value) })),
    ...before.flatMap((name) => toOutput(name, "output of an earlier step")),
    { written: write("date"), about: "today in UTC" },
    ...later.flatMap((name) => toOutput(name, "empty until the step has run")),
  ];
}

export interface UnknownVariable {
  range: TextRange;
  message: string;
  near: string | null;
  /** The name of the variable that could be added. */
  missing?: string;
}

export function findUnknownVariables(text: string, variables: readonly Variable[]): UnknownVariable[] {
  const writtenNames = variables.map(({ written }) => written);
  return lookUpPlaces(text)
    .filter(({ written }) => !writtenNames.includes(written))
    .map(({ range, written, lookUp }) => {
      const near = nearest(written, writtenNames);
      const hint = near === null ? "It is left as written." : `Did you mean ${near}?`;
      const missing = lookUp?.type === "var" ? { missing: lookUp.name } : {};
      return { range, message: `There is no variable ${written}. ${hint}`, near, ...missing };
    });
}

/** About four characters make one token of English. */
export function describeLength(text: string): string {
  const tokens = Math.ceil(text.length / 4);
  return `${formatCount(text.length)} characters, ≈ ${formatCount(tokens)} tokens`;
}
