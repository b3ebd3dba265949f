import { parseFlow } from "../../../dsl/parse";
import { type Expression, namesOf } from "../../../flow/expression";
import { defaultSeparator, type Flow } from "../../../flow/flow";
import { hasErrors } from "../../../flow/problem";
import { nameSchema } from "../../../flow/schemas/flow-schemas";
import { createAgent } from "../../../kinds/agent-schema";
import { type Group, groupModes } from "../../../kinds/group";
import { type Swarm, swarmModes } from "../../../kinds/swarm";
import { writeSource } from "../../write-source";
import { Findings, type Imported, type ImportOptions, keepAsComment } from "./imported";

/**
 * A flow line: every name that nothing declares becomes an agent. Comments such as `# parallel review: a | b` below it,
 * as the export writes them, declare groups and swarms; other comments are kept.
 */
export function importDsl(text: string, { model = "demo:agent" }: ImportOptions = {}): Imported {
  const findings = new Findings(text);
  const { expression, problems } = parseFlow(text);
  findings.problems.push(...problems.slice(0, 100));
  const declarations = readDeclarations(text, findings);
  if (!expression || hasErrors(problems)) return findings.toImported("dsl", "");
  const flow = toFlow(expression, declarations, model);
  return findings.toImported("dsl", writeSource(flow) + keepAsComment(findings));
}

interface DslDeclarations {
  groups: Map<string, Group>;
  swarms: Map<string, Swarm>;
  root: Swarm["mode"];
}

/** A name may hold what JavaScript takes for the end of a line and the DSL does not, such as U+2028. */
const commentLine = /(?<=^|[\r\n])[ \t]*#[ \t]*([^\r\n]*)/g;
const declarationLine = /^(\w+) (?:"((?:[^"\\]|\\.)*)"|([^":]+)): (.*)$/s;

function readDeclarations(text: string, findings: Findings): DslDeclarations {
  const declarations: DslDeclarations = { groups: new Map(), swarms: new Map(), root: "workflow" };
  for (const { 0: line, 1: comment = "", index } of text.matchAll(commentLine)) {
    if (comment.trim() === "") continue;
    const root = swarmModes.find((type) => type === comment.trim());
    if (root) declarations.root = root;
    else if (!readDeclaration(comment, declarations))
      findings.quarantine("a comment", { from: index, to: index + line.length });
  }
  return declarations;
}

function readDeclaration(comment: string, { groups, swarms }: DslDeclarations): boolean {
  const [, type, quoted, bare, members = ""] = declarationLine.exec(comment.trim()) ?? [];
  const name = quoted?.replaceAll(/\\(["\\])/g, "$1") ?? bare?.trim() ?? "";
  if (!nameSchema.safeParse(name).success || groups.has(name) || swarms.has(name)) return false;
  const group = groupModes.find((mode) => mode === type);
  const swarm = swarmModes.find((mode) => mode === type);
  const { expression: flow, problems } = parseFlow(members, { as: group ? `group-${group}` : "flow" });
  if (!flow || hasErrors(problems) || (!group && !swarm)) return false;
  if (group) groups.set(name, { type: "group", name, mode: group, flow, separator: defaultSeparator });
  if (swarm) swarms.set(name, toSwarm(name, swarm, flow));
  return true;
}

/** In a swarm without an order the names are its members, in written order. */
const toSwarm = (name: string, type: Swarm["mode"], flow: Expression): Swarm => ({
  type: "swarm",
  name,
  mode: type,
  separator: defaultSeparator,
  ...(type === "workflow" ? { flow } : { agents: namesOf(flow).map((nameInFlow) => nameInFlow.name) }),
});

function toFlow(expression: Expression, { groups, swarms, root }: DslDeclarations, model: string): Flow {
  const flows = [expression, ...[...groups.values(), ...swarms.values()].flatMap(({ flow }) => flow ?? [])];
  const names = [
    ...flows.flatMap((flow) => namesOf(flow).map(({ name }) => name)),
    ...[...swarms.values()].flatMap(({ agents = [] }) => agents),
  ];
  const agents = [...new Set(names)].filter((name) => !groups.has(name) && !swarms.has(name));
  const name = "Imported flow";
  return {
    name,
    vars: new Map(),
    agents: new Map(agents.map((agent) => [agent, createAgent(agent, { model })])),
    groups,
    swarms,
    controls: new Map(),
    limits: {},
    swarm: toSwarm(name, root, expression),
  };
}
