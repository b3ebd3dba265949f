import { printFlow } from "../dsl/print";
import type { Declaration, FieldTexts, Flow, OrderedJson } from "../flow/flow";
import type { FieldValue, PrintFlow } from "../kinds/node-kind";
import { kindOf, listConditionFields, listNodeKinds } from "../kinds/registry";
import { renderKey, renderPair } from "./yaml/render-yaml";

/**
 * A whole new flow file. Only for flows that have no text yet: everything else changes the text that is there.
 * `readSource(writeSource(flow)).flow` equals `flow`.
 */
export function writeSource(flow: Flow): string {
  const { name, description, compat, vars, limits } = flow;
  const { written, ...numbers } = limits;
  const settings = { vars: [...vars], limits: withWritten(toFields(Object.entries(numbers)), written) };
  const sections = [
    ...fieldLines(toFields(Object.entries({ name, description, compat })), 0),
    ...Object.entries(settings).flatMap(([key, fields]) =>
      fields.length > 0 ? [section(key, fieldLines(fields, 2))] : [],
    ),
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
const fieldLines = (fields: readonly [string, OrderedJson][], indent: number): string[] =>
  fields.map(
    ([key, value]) =>
      " ".repeat(indent) +
      renderPair(key, value, { inFlow: false, indent, eol: "\n", quotedKeys: listConditionFields() }),
  );

function named(name: string, fields: readonly [string, OrderedJson][]): string {
  const head = `  ${renderKey(name, false)}:`;
  return fields.length === 0 ? `${head} {}` : [head, ...fieldLines(fields, 4)].join("\n");
}

/** The fields that are set. */
const toFields = (values: readonly FieldValue[]): [string, OrderedJson][] =>
  values.flatMap(([key, value]): [string, OrderedJson][] => (value === undefined ? [] : [[key, value]]));

/** Fields with the texts of those that look up variables instead of their values. */
function withWritten(
  fields: readonly [string, OrderedJson][],
  written: FieldTexts["written"] = {},
): [string, OrderedJson][] {
  const withTexts = fields.map(([key, fieldValue]): [string, OrderedJson] => [key, written[key] ?? fieldValue]);
  const fieldNames = new Set(fields.map(([key]) => key));
  return [...withTexts, ...Object.entries(written).filter(([key]) => !fieldNames.has(key))];
}

const printText: PrintFlow = (expression, as = "flow") => printFlow(expression, { as });

/** The fields of a declaration that are set, in the order in which they are written. */
export const fieldsOf = (declaration: Declaration): [string, OrderedJson][] =>
  withWritten(toFields(kindOf(declaration).write(declaration, printText)), declaration.written);

const declarationLines = (declaration: Declaration): string => named(declaration.name, fieldsOf(declaration));
