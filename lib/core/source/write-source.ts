import { printFlow } from "../dsl/print";
import type { Expression } from "../flow/expression";
import { type Control, defaultSeparator, type FieldTexts, type Flow, type Json } from "../flow/flow";
import { type Agent, agentDefaults } from "../kinds/agent";
import type { Group } from "../kinds/group";
import { loopLimits } from "../kinds/loop";
import type { Swarm } from "../kinds/swarm";
import { controlSections, isControlSection } from "./read/sections";
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
            [...flow.vars].map(([name, fieldValue]) => `  ${renderKey(name, false)}: ${value(fieldValue, 2)}`),
          ),
        ]
      : []),
    ...(limits.length > 0 ? [section("limits", fieldLines(limits, 2))] : []),
    section("agents", [...flow.agents.values()].map(agentLines)),
    ...(flow.groups.size > 0 ? [section("groups", [...flow.groups.values()].map(groupLines))] : []),
    ...(flow.swarms.size > 0
      ? [
          section(
            "swarms",
            [...flow.swarms.values()].map((swarm) => named(swarm.name, swarmFields(swarm))),
          ),
        ]
      : []),
    ...controlKeys.flatMap((key) => {
      const controls = [...flow.controls.values()].filter(({ type }) => type === controlSections[key]);
      return controls.length === 0
        ? []
        : [
            section(
              key,
              controls.map((control) => named(control.name, writtenControlFields(control))),
            ),
          ];
    }),
    section("swarm", fieldLines(swarmFields(flow.swarm), 2)),
  ];
  return `${sections.join("\n")}\n`;
}

const section = (key: string, lines: readonly string[]): string => [`${key}:`, ...lines].join("\n");
const value = (fieldValue: Json, indent: number): string =>
  renderValue(fieldValue, { inFlow: false, indent, eol: "\n" });
const fieldLines = (fields: readonly [string, Json][], indent: number): string[] =>
  fields.map(
    ([key, fieldValue]) => " ".repeat(indent) + renderPair(key, fieldValue, { inFlow: false, indent, eol: "\n" }),
  );

function named(name: string, fields: readonly [string, Json][]): string {
  const head = `  ${renderKey(name, false)}:`;
  return fields.length === 0 ? `${head} {}` : [head, ...fieldLines(fields, 4)].join("\n");
}

const controlKeys = Object.keys(controlSections).filter(isControlSection);

/** The fields that are set. */
const toFields = (values: Readonly<Record<string, Json | undefined>>): [string, Json][] =>
  Object.entries(values).flatMap(([key, fieldValue]): [string, Json][] =>
    fieldValue === undefined ? [] : [[key, fieldValue]],
  );

/** Fields with the texts of those that look up variables instead of their values. */
function withWritten(fields: readonly [string, Json][], written: FieldTexts["written"] = {}): [string, Json][] {
  const remainingTexts = new Map<string, Json>(Object.entries(written));
  const filledFields = fields.map(([key, fieldValue]): [string, Json] => {
    const text = remainingTexts.get(key);
    remainingTexts.delete(key);
    return [key, text ?? fieldValue];
  });
  return [...filledFields, ...remainingTexts];
}

const writtenControlFields = (control: Control): [string, Json][] =>
  withWritten(controlFields(control), control.type === "branch" ? undefined : control.written);

function controlFields(control: Control): [string, Json][] {
  const text = (flow: Expression | undefined): string | undefined => flow && printFlow(flow);
  switch (control.type) {
    case "branch": {
      const { condition, if_true, if_false } = control;
      return toFields({ condition, if_true: text(if_true), if_false: text(if_false) });
    }
    case "router": {
      const { model, instructions, lanes } = control;
      const written = [...lanes].map(([lane, { when, flow }]) => [
        lane,
        Object.fromEntries(toFields({ when: when === "" ? undefined : when, flow: text(flow) })),
      ]);
      return toFields({
        model,
        instructions: instructions === "" ? undefined : instructions,
        lanes: Object.fromEntries(written),
      });
    }
    case "loop": {
      const { body, count, for_each, limit, separator } = control;
      return toFields({
        body: text(body),
        count,
        while: control.while,
        for_each,
        limit: limit === loopLimits.usual ? undefined : limit,
        separator: separator === defaultSeparator ? undefined : separator,
      });
    }
    case "approval":
      return toFields({ message: control.message, timeout_seconds: control.timeout_seconds });
  }
}

function agentLines({
  type: _type,
  name,
  tools,
  instructions,
  max_steps,
  max_retries,
  loop_threshold,
  written,
  ...agentFields
}: Agent): string {
  const { model, description, needs_approval, trim_context, use_history, ...otherFields } = agentFields;
  const fields: [string, Json | undefined][] = [
    ["model", model],
    ["description", description],
    ["instructions", instructions === "" ? undefined : instructions],
    ["tools", tools.length > 0 ? tools : undefined],
    ["max_steps", max_steps === agentDefaults.max_steps ? undefined : max_steps],
    ["max_retries", max_retries === agentDefaults.max_retries ? undefined : max_retries],
    ["loop_threshold", loop_threshold === agentDefaults.loop_threshold ? undefined : loop_threshold],
    ["needs_approval", needs_approval.length > 0 ? needs_approval : undefined],
    ["trim_context", trim_context ? true : undefined],
    ["use_history", use_history ? undefined : false],
    ...Object.entries(otherFields),
  ];
  return named(name, withWritten(toFields(Object.fromEntries(fields)), written));
}

function groupLines({ name, mode: type, flow, separator, on_error, written }: Group): string {
  const text = flow ? printFlow(flow, { as: type === "parallel" ? "group-parallel" : "group-serial" }) : "";
  const fields: [string, Json][] = [["type", type], ["flow", text], ...separatorField(separator)];
  return named(name, withWritten([...fields, ...toFields({ on_error })], written));
}

function swarmFields(swarm: Swarm): [string, Json][] {
  const { mode: type, flow, agents, edges, max_handoffs, max_concurrent, max_agents, separator } = swarm;
  const fields: [string, Json][] = [
    ["type", type],
    ...(flow ? [["flow", printFlow(flow)] satisfies [string, Json]] : []),
    ...(edges ? [["edges", edges] satisfies [string, Json]] : []),
    ...(agents ? [["agents", agents] satisfies [string, Json]] : []),
    ...toFields({ max_handoffs, max_concurrent, max_agents }),
    ...separatorField(separator),
  ];
  return withWritten(fields, swarm.written);
}

const separatorField = (separator: string): [string, Json][] =>
  separator === defaultSeparator ? [] : [["separator", separator]];
