import { type Expression, joinExpressions, nameExpression } from "../../../../flow/expression";
import { clip, type TextRange } from "../../../../flow/text-range";
import { orbiterAgentFields } from "../../orbiter-flow";
import {
  type OrbiterAgent,
  type OrbiterGroup,
  type OrbiterNode,
  type OrbiterSwarm,
  toOrbiterMode,
} from "../build-flow";
import type { Findings } from "../imported";
import type { ConstructorName } from "./constructors";
import { itemsOf, type PythonArgument, type PythonCall, type PythonValue, unknownAt } from "./value";

/** Creates agents, groups and swarms from constructor calls. What it cannot take over is reported as lost. */
export class OrbiterNodes {
  /** In the order in which they were created. */
  readonly created = new Set<OrbiterNode>();
  readonly #wrapped = new Set<OrbiterNode>();

  constructor(private readonly findings: Findings) {}

  construct(type: ConstructorName, call: PythonCall): PythonValue {
    const node = this.#create(type, call);
    if (!node) {
      this.findings.quarantine(`a ${type} that cannot be read`, call.range, { effect: "lost" });
      return unknownAt(call.range);
    }
    this.created.add(node);
    return { type: "orbiter-node", node };
  }

  /** Gives a node without a name that of its variable. */
  nameAfter(node: OrbiterNode, variable: string): void {
    if (node.type === "Swarm") node.name ??= variable;
    else if (node.name === "") node.name = variable;
  }

  /** `agent.field = value`; false: Orbiter does not look at it any more, or it cannot be read. */
  assign(node: OrbiterNode, argument: PythonArgument): boolean {
    if (node.type !== "Agent") return false;
    if (argument.name === "handoffs") return this.addHandoffs(node, argument.value);
    if (!changeableFields.includes(argument.name)) return false;
    this.#readField(argument, node.name, node.fields);
    return true;
  }

  /** Adds the agents of a list or mapping, or a single agent, to those that `node` may hand over to. */
  addHandoffs(node: OrbiterNode, value: PythonValue): boolean {
    if (node.type !== "Agent") return false;
    const targets = this.#nodesOf(value, `a handoff of "${clip(node.name)}"`);
    for (const target of targets) if (!node.handoffs.includes(target)) node.handoffs.push(target);
    return targets.length > 0;
  }

  #create(type: ConstructorName, call: PythonCall): OrbiterNode | null {
    const remaining = [...call.arguments];
    switch (type) {
      case "Agent":
        return this.#agent(remaining);
      case "ParallelGroup":
        return this.#group(remaining, "parallel");
      case "SerialGroup":
        return this.#group(remaining, "serial");
      case "Swarm":
        return this.#swarm(remaining, call.range);
      case "SwarmNode":
        return this.#swarmNode(remaining);
    }
  }

  #agent(remaining: PythonArgument[]): OrbiterAgent {
    const name = this.#takeText(remaining, "name") ?? "";
    const agent: OrbiterAgent = { type: "Agent", name, fields: {}, handoffs: [] };
    for (const argument of remaining) {
      const { name: field, value } = argument;
      if (field === "tools") agent.fields.tools = this.#tools(argument, name);
      else if (field === "handoffs") this.addHandoffs(agent, value);
      else if (orbiterAgentFields.includes(field)) this.#readField(argument, name, agent.fields);
      else this.#leave([argument], name);
    }
    return agent;
  }

  #readField(argument: PythonArgument, owner: string, fields: Record<string, unknown>): void {
    const { name, value } = argument;
    if (value.type === "text") fields[name] = value.text;
    else if (value.type === "number" || value.type === "boolean") fields[name] = value.value;
    else this.#leave([argument], owner);
  }

  #tools(argument: PythonArgument, owner: string): string[] {
    const items = itemsOf(argument.value);
    if (!items) this.#leave([argument], owner);
    const names = items?.flatMap((item) => this.#tool(item, owner, argument.range) ?? []);
    return [...new Set(names)];
  }

  /** The name by which an agent calls a tool. Its code is not in a flow, and lost. */
  #tool(item: PythonValue, owner: string, range: TextRange): string | null {
    if (item.type === "text") return item.text;
    if (item.type === "tool" || item.type === "function") {
      if (item.code) this.findings.markLost(item.code);
      return item.type === "tool" ? item.name : item.toolName;
    }
    const { name = null, range: itemRange } = item.type === "unknown" ? item : { range };
    const description = name === null ? "a tool" : `the code of the tool ${clip(name)}`;
    this.findings.quarantine(`${description} of agent "${clip(owner)}"`, itemRange, { effect: "lost" });
    return name;
  }

  #group(remaining: PythonArgument[], group: OrbiterGroup["group"]): OrbiterGroup {
    const name = this.#takeText(remaining, "name") ?? "";
    const separator = group === "parallel" ? this.#takeText(remaining, "separator") : undefined;
    const members = this.#takeMembers(remaining, `group "${clip(name)}"`);
    this.#leave(remaining, name);
    return { type: "Group", name, group, members, ...(separator !== undefined && { separator }) };
  }

  #swarm(remaining: PythonArgument[], range: TextRange): OrbiterSwarm {
    const mode = toOrbiterMode(this.#takeText(remaining, "mode"), this.findings, range);
    const [flow, limit] = [take(remaining, "flow"), take(remaining, "max_handoffs")];
    const line = flow?.value.type === "text" ? flow.value.text : flow && toFlow(flow.value);
    if (flow && line === null) this.#leave([flow], "swarm");
    if (limit && limit.value.type !== "number") this.#leave([limit], "swarm");
    const members = this.#takeMembers(remaining, "a swarm");
    this.#leave(remaining, "swarm");
    return {
      type: "Swarm",
      name: null,
      members,
      mode,
      ...(line !== null && line !== undefined && { flow: line }),
      ...(limit?.value.type === "number" && { maxHandoffs: limit.value.value }),
    };
  }

  #swarmNode(remaining: PythonArgument[]): OrbiterNode | null {
    const value = take(remaining, "swarm")?.value;
    const innerSwarm = value?.type === "orbiter-node" ? value.node : null;
    if (innerSwarm?.type !== "Swarm") return null;
    const name = this.#takeText(remaining, "name") ?? innerSwarm.name ?? "swarm";
    this.#leave(remaining, "swarm");
    if (this.#wrapped.has(innerSwarm)) return { ...innerSwarm, name };
    this.#wrapped.add(innerSwarm);
    innerSwarm.name = name;
    return innerSwarm;
  }

  #takeMembers(remaining: PythonArgument[], owner: string): OrbiterNode[] {
    const argument = take(remaining, "agents") ?? take(remaining, "");
    return argument ? this.#nodesOf(argument.value, `a member of ${owner}`) : [];
  }

  /** The agents, groups and swarms of a list or mapping, or a single node; everything else is lost. */
  #nodesOf(value: PythonValue, description: string): OrbiterNode[] {
    if (value.type === "none") return [];
    if (value.type !== "list" && value.type !== "dict") return this.#nodeOf(value, description);
    if (value.changedAt) {
      this.findings.quarantine(`${description}: a list that changes`, value.changedAt, { effect: "lost" });
      return [];
    }
    const items = value.type === "list" ? value.items : value.entries.map(([, item]) => item);
    return items.flatMap((item) => this.#nodeOf(item, description));
  }

  #nodeOf(value: PythonValue, description: string): OrbiterNode[] {
    if (value.type === "orbiter-node") return [value.node];
    if (value.type !== "unknown") {
      const message = `Expected an agent, group or swarm as ${description}; found a ${value.type}.`;
      this.findings.lose("invalid-value", message);
    } else if (value.name === undefined) this.findings.quarantine(description, value.range, { effect: "lost" });
    else {
      const message = `Nothing that can be read is called \`${clip(value.name)}\`: ${description} is lost.`;
      this.findings.lose("unknown-name", message, value.range);
    }
    return [];
  }

  #takeText(remaining: PythonArgument[], name: string): string | undefined {
    const argument = take(remaining, name);
    if (argument?.value.type === "text") return argument.value.text;
    if (argument) this.#leave([argument], "");
    return undefined;
  }

  /** Reports the arguments that do not leave the default. */
  #leave(unreadArguments: readonly PythonArgument[], owner: string): void {
    for (const { name, value, range } of unreadArguments) {
      if (value.type === "none" || itemsOf(value)?.length === 0) continue;
      const description = name === "" ? "an argument without a name" : `argument ${name}`;
      const effect = name === "output_type" ? "note" : "lost";
      this.findings.quarantine(owner === "" ? description : `${description} of "${clip(owner)}"`, range, { effect });
    }
  }
}

/** Takes the argument of a name out of `remaining`; an empty name means the first one without a name. */
function take(remaining: PythonArgument[], name: string): PythonArgument | undefined {
  const index = remaining.findIndex((argument) => argument.name === name);
  return index < 0 ? undefined : remaining.splice(index, 1)[0];
}

/** The fields that an agent of Orbiter still reads after it was created. */
const changeableFields = ["instructions", "max_steps", "temperature", "max_tokens"];

/** `a >> (b | c)` with agents instead of a text. */
function toFlow(value: PythonValue): Expression | null {
  if (value.type === "flow") return value.expression;
  if (value.type === "text") return nameExpression(value.text);
  return value.type === "orbiter-node" ? nameExpression(value.node.name ?? "swarm") : null;
}

/** The flow that `>>` and `|` write between agents; null when the values are none. */
export function joinFlow(sign: ">>" | "|", values: readonly PythonValue[]): Expression | null {
  const members = values.map(toFlow);
  const type = sign === ">>" ? "serial" : "parallel";
  return members.every((member) => member !== null) ? joinExpressions(type, members) : null;
}
