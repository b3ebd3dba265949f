import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../../../flow/expression";
import { clip, type TextRange } from "../../../../flow/text-range";
import type { OrbiterAgent, OrbiterGroup, OrbiterNode, OrbiterSwarm } from "../build-flow";
import type { Findings } from "../imported";
import type { ConstructorName } from "./constructors";
import { type PythonValue, type UnknownValue, unknownAt } from "./value";

export interface PythonArgument {
  /** Empty for one that was given by its position. */
  name: string;
  value: PythonValue;
  range: TextRange;
}

/** A call of one of Orbiter's constructors whose arguments were looked up. */
export interface ConstructorCall {
  type: ConstructorName;
  arguments: readonly PythonArgument[];
  range: TextRange;
}

/** Makes agents, groups and swarms of constructor calls. What it cannot take over is reported as lost. */
export class OrbiterConstructors {
  /** In the order in which they were made. */
  readonly made = new Set<OrbiterNode>();
  readonly #wrapped = new Set<OrbiterNode>();

  constructor(private readonly findings: Findings) {}

  construct(call: ConstructorCall): PythonValue {
    const node = this.#build(call);
    if (!node) {
      this.findings.quarantine(`a ${call.type} that cannot be read`, call.range, { effect: "lost" });
      return unknownAt(call.range);
    }
    this.made.add(node);
    return { type: "piece", piece: node };
  }

  /** Gives a piece the name of its variable where it has none of its own. */
  nameAfter(node: OrbiterNode, variable: string): void {
    if (node.type === "Swarm") node.name ??= variable;
    else if (node.name === "") node.name = variable;
  }

  /** `agent.field = value`; false: Orbiter does not look at it any more, or it cannot be read. */
  assign(node: OrbiterNode, argument: PythonArgument): boolean {
    if (node.type !== "Agent") return false;
    if (argument.name === "handoffs") return this.addHandoffs(node, argument.value);
    if (!changeableFields.includes(argument.name)) return false;
    this.#takeField(argument, node.name, node.fields);
    return true;
  }

  /** Adds the agents of a list or mapping, or the one that it is, to those that `piece` may hand over to. */
  addHandoffs(node: OrbiterNode, value: PythonValue): boolean {
    if (node.type !== "Agent") return false;
    const targets = this.#piecesOf(value, `a handoff of "${clip(node.name)}"`);
    for (const target of targets) if (!node.handoffs.includes(target)) node.handoffs.push(target);
    return targets.length > 0;
  }

  #build(call: ConstructorCall): OrbiterNode | null {
    switch (call.type) {
      case "Agent":
        return this.#agent(call);
      case "ParallelGroup":
        return this.#group(call, "parallel");
      case "SerialGroup":
        return this.#group(call, "serial");
      case "Swarm":
        return this.#swarm(call);
      case "SwarmNode":
        return this.#swarmNode(call);
    }
  }

  #agent(call: ConstructorCall): OrbiterAgent {
    const name = this.#text(call, "name") ?? "";
    const agent: OrbiterAgent = { type: "Agent", name, fields: {}, handoffs: [] };
    for (const argument of this.#rest(call, ["name"])) {
      const { name: field, value } = argument;
      if (field === "tools") agent.fields.tools = this.#tools(argument, name);
      else if (field === "handoffs") this.addHandoffs(agent, value);
      else if (agentFields.includes(field)) this.#takeField(argument, name, agent.fields);
      else this.#leave(argument, name);
    }
    return agent;
  }

  #takeField(argument: PythonArgument, owner: string, fields: Record<string, unknown>): void {
    const { name, value } = argument;
    if (value.type === "text") fields[name] = value.text;
    else if (value.type === "number" || value.type === "boolean") fields[name] = value.value;
    else if (value.type !== "none") this.#leave(argument, owner);
  }

  #tools(argument: PythonArgument, owner: string): string[] {
    const { value, range } = argument;
    if (value.type === "none") return [];
    if (value.type !== "list" || value.changedAt) {
      this.#leave(argument, owner);
      return [];
    }
    const names = value.items.flatMap((item) => this.#tool(item, owner, range) ?? []);
    return [...new Set(names)];
  }

  /** The name by which an agent calls a tool. Its code is no part of a flow, and lost. */
  #tool(item: PythonValue, owner: string, range: TextRange): string | null {
    if (item.type === "text") return item.text;
    if (item.type === "tool" || item.type === "function") {
      if (item.keptCode) this.findings.markLost(item.keptCode);
      return item.type === "tool" ? item.name : item.toolName;
    }
    const itemRange = item.type === "unknown" ? item.range : range;
    const name = item.type === "unknown" ? item.name : undefined;
    const description = name === undefined ? "a tool" : `the code of the tool ${clip(name)}`;
    this.findings.quarantine(`${description} of agent "${clip(owner)}"`, itemRange, { effect: "lost" });
    return name ?? null;
  }

  #group(call: ConstructorCall, group: OrbiterGroup["group"]): OrbiterGroup {
    const name = this.#text(call, "name") ?? "";
    const separator = group === "parallel" ? this.#text(call, "separator") : undefined;
    const members = this.#members(call, `group "${clip(name)}"`);
    const groupFields = ["name", "agents", ...(group === "parallel" ? ["separator"] : [])];
    for (const argument of this.#rest(call, groupFields)) this.#leave(argument, name);
    return { type: "Group", name, group, members, ...(separator !== undefined && { separator }) };
  }

  #swarm(call: ConstructorCall): OrbiterSwarm {
    const mode = this.#text(call, "mode") ?? "workflow";
    const validMode = modes.find((knownMode) => knownMode === mode);
    if (!validMode)
      this.findings.lose(
        "invalid-value",
        `The mode "${clip(mode)}" of a swarm is none of ${modes.join(", ")}; it becomes a workflow.`,
        call.range,
      );
    const flow = this.#flow(call);
    const limit = this.#argument(call, "max_handoffs");
    if (limit && limit.value.type !== "number" && limit.value.type !== "none") this.#leave(limit, "swarm");
    const members = this.#members(call, "a swarm");
    for (const argument of this.#rest(call, ["agents", "mode", "flow", "max_handoffs"])) this.#leave(argument, "swarm");
    return {
      type: "Swarm",
      name: null,
      members,
      mode: validMode ?? "workflow",
      ...(flow !== null && { flow }),
      ...(limit?.value.type === "number" && { maxHandoffs: limit.value.value }),
    };
  }

  #flow(call: ConstructorCall): string | Expression | null {
    const argument = this.#argument(call, "flow");
    if (!argument || argument.value.type === "none") return null;
    if (argument.value.type === "text") return argument.value.text;
    const expression = toFlow(argument.value);
    if (!expression) this.#leave(argument, "swarm");
    return expression;
  }

  #swarmNode(call: ConstructorCall): OrbiterNode | null {
    const argument = this.#argument(call, "swarm");
    const innerSwarm = argument?.value.type === "piece" ? argument.value.piece : null;
    if (innerSwarm?.type !== "Swarm") return null;
    for (const otherArgument of this.#rest(call, ["swarm", "name"])) this.#leave(otherArgument, "swarm");
    const name = this.#text(call, "name") ?? innerSwarm.name ?? "swarm";
    if (this.#wrapped.has(innerSwarm)) return { ...innerSwarm, name };
    this.#wrapped.add(innerSwarm);
    innerSwarm.name = name;
    return innerSwarm;
  }

  #members(call: ConstructorCall, owner: string): OrbiterNode[] {
    const argument = this.#argument(call, "agents") ?? this.#argument(call, "");
    return argument ? this.#piecesOf(argument.value, `a member of ${owner}`) : [];
  }

  /** The agents, groups and swarms of a list or mapping, or the one that it is; everything else is lost. */
  #piecesOf(value: PythonValue, description: string): OrbiterNode[] {
    if (value.type === "none") return [];
    if (value.type !== "list" && value.type !== "dict") return this.#pieceOf(value, description);
    if (value.changedAt)
      this.findings.quarantine(`${description}: a list that changes`, value.changedAt, { effect: "lost" });
    if (value.changedAt) return [];
    const items = value.type === "list" ? value.items : value.entries.map(([, item]) => item);
    return items.flatMap((item) => this.#pieceOf(item, description));
  }

  #pieceOf(value: PythonValue, description: string): OrbiterNode[] {
    if (value.type === "piece") return [value.piece];
    if (value.type === "unknown") this.#loseMember(value, description);
    else
      this.findings.lose(
        "invalid-value",
        `Expected an agent, group or swarm as ${description}; found a ${value.type}.`,
      );
    return [];
  }

  #loseMember({ name, range }: UnknownValue, description: string): void {
    if (name === undefined) this.findings.quarantine(description, range, { effect: "lost" });
    else
      this.findings.lose(
        "unknown-name",
        `Nothing that can be read is called \`${clip(name)}\`: ${description} is lost.`,
        range,
      );
  }

  #argument = (call: ConstructorCall, name: string): PythonArgument | undefined =>
    call.arguments.find((argument) => argument.name === name);

  #rest = (call: ConstructorCall, read: readonly string[]): PythonArgument[] => {
    const isMembers = read.includes("agents") && this.#argument(call, "agents") === undefined;
    const membersArgument = isMembers ? this.#argument(call, "") : undefined;
    return call.arguments.filter((argument) => argument !== membersArgument && !read.includes(argument.name));
  };

  #text(call: ConstructorCall, name: string): string | undefined {
    const argument = this.#argument(call, name);
    if (argument && argument.value.type !== "text" && argument.value.type !== "none") this.#leave(argument, "");
    return argument?.value.type === "text" ? argument.value.text : undefined;
  }

  #leave({ name, value, range }: PythonArgument, owner: string): void {
    if (isEmpty(value)) return;
    const description = name === "" ? "an argument without a name" : `argument ${name}`;
    const effect = name === "output_type" ? "note" : "lost";
    this.findings.quarantine(owner === "" ? description : `${description} of "${clip(owner)}"`, range, { effect });
  }
}

const agentFields = ["model", "instructions", "max_steps", "temperature", "max_tokens"];
/** The fields that an agent of Orbiter still looks at after it was made. */
const changeableFields = ["instructions", "max_steps", "temperature", "max_tokens"];
const modes = ["workflow", "handoff", "team"] as const;

/** Whether an argument leaves the default. */
const isEmpty = (value: PythonValue): boolean =>
  value.type === "none" || (value.type === "list" && value.items.length === 0 && !value.changedAt);

/** `a >> (b | c)` with agents instead of a text. */
function toFlow(value: PythonValue): Expression | null {
  if (value.type === "flow") return value.expression;
  if (value.type === "text") return nameExpression(value.text);
  return value.type === "piece" ? nameExpression(value.piece.name ?? "swarm") : null;
}

/** What `>>` and `|` make of agents; null when they make none. */
export function joinFlow(sign: ">>" | "|", values: readonly PythonValue[]): Expression | null {
  const members = values.map(toFlow);
  const join = sign === ">>" ? serialExpression : parallelExpression;
  return members.every((member) => member !== null) ? join(members) : null;
}
