import { printFlow } from "../dsl/print";
import type { Declaration, FieldTexts, Flow, Json } from "../flow/flow";
import type { PrintFlow } from "../kinds/node-kind";
import { kindOf, listNodeKinds } from "../kinds/registry";
import { renderKey, renderPair, renderValue } from "./yaml/render-yaml";

/**
 * A whole new flow file. Only for flows that have no text yet: everything else changes the text that is there.
 * `readSource(writeSource(flow)).flow` equals `flow`.
 */
export function writeSource(flow: Flow): string {
  const { written, ...numbers } = flow.limits;
  const limits = withWritten(toFields(numbers), written);
  const sections = [
    `name: ${value(flow.name, 0)}`,
    ...(flow.description === undefined ? [] : [`description: ${value(flow.description, 0)}`]),
    ...(flow.compat ? [`compat: ${flow.compat}`] : []),
    ...(flow.vars.size > 0
      ? [
          section(
            "vars",
            [...flow.vars].map(([name, variable]) => `  ${renderKey(name, false)}: ${value(variable, 2)}`),
          ),
        ]
      : []),
    ...(limits.length > 0 ? [section("limits", fieldLines(limits, 2))] : []),
    ...listNodeKinds().flatMap((kind) => {
      const declarations = [...kind.collection(flow).values()].filter(({ type }) => type === kind.type);
      if (declarations.length === 0 && !kind.isAlwaysWritten) return [];
      return [section(kind.section, declarations.map(declarationLines))];
    }),
    section("swarm", fieldLines(fieldsOf(flow.swarm), 2)),
  ];
  return `${sections.join("\n")}\n`;
}

const section = (key: string, lines: readonly string[]): string => [`${key}:`, ...lines].join("\n");
const value = (json: Json, indent: number): string => renderValue(json, { inFlow: false, indent, eol: "\n" });
const fieldLines = (fields: readonly [string, Json][], indent: number): string[] =>
  fields.map(
    ([key, fieldValue]) => " ".repeat(indent) + renderPair(key, fieldValue, { inFlow: false, indent, eol: "\n" }),
  );

function named(name: string, fields: readonly [string, Json][]): string {
  const head = `  ${renderKey(name, false)}:`;
  return fields.length === 0 ? `${head} {}` : [head, ...fieldLines(fields, 4)].join("\n");
}

/** The fields that are set. */
const toFields = (values: Readonly<Record<string, Json | undefined>>): [string, Json][] =>
  Object.entries(values).flatMap(([key, fieldValue]): [string, Json][] =>
    fieldValue === undefined ? [] : [[key, fieldValue]],
  );

/** Fields with the texts of those that look up variables instead of their values. */
function withWritten(fields: readonly [string, Json][], written: FieldTexts["written"] = {}): [string, Json][] {
  const withTexts = fields.map(([key, fieldValue]): [string, Json] => [key, written[key] ?? fieldValue]);
  const fieldNames = new Set(fields.map(([key]) => key));
  return [...withTexts, ...Object.entries(written).filter(([key]) => !fieldNames.has(key))];
}

const printText: PrintFlow = (expression, as = "flow") => printFlow(expression, { as });

/** The fields of a declaration that are set, in the order in which they are written. */
export const fieldsOf = (declaration: Declaration): [string, Json][] =>
  withWritten(
    kindOf(declaration)
      .write(declaration, printText)
      .flatMap(([field, fieldValue]): [string, Json][] => (fieldValue === undefined ? [] : [[field, fieldValue]])),
    declaration.written,
  );

const declarationLines = (declaration: Declaration): string => named(declaration.name, fieldsOf(declaration));
