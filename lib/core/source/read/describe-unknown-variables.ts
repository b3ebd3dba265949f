import type { Scalar } from "yaml";
import type { Variables } from "../../flow/field-variables";
import { addVariableRepairs, type Problem } from "../../flow/problem";
import { createSuggester } from "../../flow/suggest-name";
import { canLookUp } from "../../flow/template-variables";
import { clip, type TextRange } from "../../flow/text-range";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { rangeOfNode } from "../yaml/yaml-nodes";

/** A field that looks up variables, in its text. */
interface LookingField {
  key: string;
  node: Scalar;
  text: string;
  vars: Variables;
}

/** One for all fields of a file: how much a suggester compares is bounded. */
const suggesters = new WeakMap<Variables, ReturnType<typeof createSuggester>>();

function suggesterFor(vars: Variables) {
  const suggest = suggesters.get(vars) ?? createSuggester([...vars.keys()].filter(canLookUp));
  suggesters.set(vars, suggest);
  return suggest;
}

/** The problems of look-ups of variables that are not there, each at its place, with the likeliest name as a fix. */
export function describeUnknown(
  { key, node, text, vars }: LookingField,
  places: readonly (TextRange & { name: string })[],
  isProse: boolean,
): Problem[] {
  const offsets = scalarOffsets(text, node);
  const suggest = suggesterFor(vars);
  const nodeRange = rangeOfNode(node, text);
  return places.map(({ name, from: start, to: end }) => {
    const near = suggest(name);
    const hint = near === null ? "Add it under `vars:`." : `Did you mean ${near}?`;
    const range = offsets?.toRange({ from: start, to: end }) ?? nodeRange;
    const change = near === null ? undefined : offsets?.toChange({ from: start, to: end, insert: near });
    return {
      code: "unknown-variable",
      severity: isProse ? "warning" : "error",
      message: `\`${key}\` looks up \${vars.${clip(name)}}, which is not under \`vars:\`. ${hint}`,
      ...(range && { range }),
      ...(change && { fix: { title: `Write ${near}`, changes: [change] } }),
      ...(near === null && addVariableRepairs(name)),
    };
  });
}
