import { printFlow } from "../dsl/print";
import {
  type Agent,
  agentDefaults,
  defaultSeparator,
  type Flow,
  type Group,
  type Json,
  type Swarm,
} from "../flow/flow";
import { renderKey, renderValue } from "./render";

/**
 * A whole new flow file. Only for flows that have no text yet: everything else changes the text that is there.
 * `readSource(writeSource(flow)).flow` equals `flow`.
 */
export function writeSource(flow: Flow): string {
  const parts = [
    `name: ${value(flow.name, 0)}`,
    ...(flow.compat ? [`compat: ${flow.compat}`] : []),
    ...(flow.vars.size > 0
      ? [
          section(
            "vars",
            [...flow.vars].map(([name, one]) => `  ${renderKey(name, false)}: ${value(one, 2)}`),
          ),
        ]
      : []),
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
    section("swarm", fieldLines(swarmFields(flow.swarm), 2)),
  ];
  return `${parts.join("\n")}\n`;
}

const section = (key: string, lines: readonly string[]): string => [`${key}:`, ...lines].join("\n");
const value = (one: Json, indent: number): string => renderValue(one, { inFlow: false, indent, eol: "\n" });
const fieldLines = (fields: readonly [string, Json][], indent: number): string[] =>
  fields.map(([key, one]) => `${" ".repeat(indent)}${renderKey(key, false)}: ${value(one, indent)}`);

function named(name: string, fields: readonly [string, Json][]): string {
  const head = `  ${renderKey(name, false)}:`;
  return fields.length === 0 ? `${head} {}` : [head, ...fieldLines(fields, 4)].join("\n");
}

function agentLines({ name, tools, instructions, max_steps, max_retries, loop_threshold, ...rest }: Agent): string {
  const { model, description, ...others } = rest;
  const fields: [string, Json | undefined][] = [
    ["model", model],
    ["description", description],
    ["instructions", instructions === "" ? undefined : instructions],
    ["tools", tools.length > 0 ? tools : undefined],
    ["max_steps", max_steps === agentDefaults.max_steps ? undefined : max_steps],
    ["max_retries", max_retries === agentDefaults.max_retries ? undefined : max_retries],
    ["loop_threshold", loop_threshold === agentDefaults.loop_threshold ? undefined : loop_threshold],
    ...Object.entries(others),
  ];
  return named(
    name,
    fields.flatMap(([key, one]): [string, Json][] => (one === undefined ? [] : [[key, one]])),
  );
}

function groupLines({ name, type, flow, separator }: Group): string {
  const text = flow ? printFlow(flow, { as: type === "parallel" ? "group-parallel" : "group-serial" }) : "";
  return named(name, [["type", type], ["flow", text], ...separatorField(separator)]);
}

function swarmFields({ type, flow, agents, edges, max_handoffs, separator }: Swarm): [string, Json][] {
  return [
    ["type", type],
    ...(flow ? [["flow", printFlow(flow)] satisfies [string, Json]] : []),
    ...(edges ? [["edges", edges] satisfies [string, Json]] : []),
    ...(agents ? [["agents", agents] satisfies [string, Json]] : []),
    ...(max_handoffs === undefined ? [] : [["max_handoffs", max_handoffs] satisfies [string, Json]]),
    ...separatorField(separator),
  ];
}

const separatorField = (separator: string): [string, Json][] =>
  separator === defaultSeparator ? [] : [["separator", separator]];
