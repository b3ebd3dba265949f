import { parseFlow } from "../../../dsl/parse";
import {
  containsParallel,
  type Expression,
  joinExpressions,
  mapNames,
  nameExpression,
  serialExpression,
} from "../../../flow/expression";
import { defaultSeparator, type Flow } from "../../../flow/flow";
import { nameSchema } from "../../../flow/schemas/flow-schemas";
import { lookUpPlaces } from "../../../flow/template-variables";
import { clip, type TextRange } from "../../../flow/text-range";
import type { Agent } from "../../../kinds/agent";
import { agentSchema } from "../../../kinds/agent-schema";
import type { Group } from "../../../kinds/group";
import { type Swarm, swarmDefaults } from "../../../kinds/swarm";
import { writeSource } from "../../write-source";
import { orderOf, readOrbiterFlow } from "../orbiter-flow";
import { inlineName } from "../python-text";
import type { Findings } from "./imported";

/** An object of one of Orbiter's classes, before names are settled. One object may occur several times. */
export type OrbiterNode = OrbiterAgent | OrbiterGroup | OrbiterSwarm;

export interface OrbiterAgent {
  type: "Agent";
  name: string;
  fields: Record<string, unknown>;
  handoffs: OrbiterNode[];
}

export interface OrbiterGroup {
  type: "Group";
  name: string;
  group: Group["mode"];
  members: readonly OrbiterNode[];
  separator?: string;
}

export interface OrbiterSwarm {
  type: "Swarm";
  /** As a node of another swarm; null: nothing calls it by a name. */
  name: string | null;
  members: readonly OrbiterNode[];
  mode: "workflow" | "handoff" | "team";
  /** A line of text, or one that was drawn with operators. */
  flow?: string | Expression;
  maxHandoffs?: number;
}

export interface OrbiterModule {
  root: OrbiterSwarm;
  /** Everything that was made, in written order; what the root does not hold is declared beside it. */
  nodes: readonly OrbiterNode[];
  name: string;
}

/** The flow file for an Orbiter module. */
export function buildFlow({ root, nodes, name }: OrbiterModule, findings: Findings): string {
  return writeSource(new FlowBuilder(nodes, findings).build(root, name));
}

const modes = ["workflow", "handoff", "team"] as const;

/** The mode of a swarm of Orbiter, which is a workflow where it is missing; another mode is reported as lost. */
export function toOrbiterMode(mode = "workflow", findings: Findings, range?: TextRange): OrbiterSwarm["mode"] {
  const validMode = modes.find((knownMode) => knownMode === mode);
  if (validMode) return validMode;
  const message = `The mode "${clip(mode)}" of a swarm is none of ${modes.join(", ")}; it becomes a workflow.`;
  findings.lose("invalid-value", message, range);
  return "workflow";
}

/** The model of Orbiter's agents that declare none. */
const orbiterModel = "openai:gpt-4o";

class FlowBuilder {
  readonly #names = new Map<OrbiterNode, string>();
  readonly #used = new Set<string>();
  readonly #uses = new Map<OrbiterNode, number>();
  readonly #agents = new Map<string, Agent>();
  readonly #groups = new Map<string, Group>();
  readonly #swarms = new Map<string, Swarm>();
  /** Whether the lines mean what they mean in Orbiter: then no group may become parentheses, which are an order there. */
  #compat = false;

  constructor(
    private readonly nodes: readonly OrbiterNode[],
    private readonly findings: Findings,
  ) {}

  build(root: OrbiterSwarm, name: string): Flow {
    const all = collect([...this.nodes, root]);
    this.#compat = [...all].some(meansOrder);
    for (const node of all) this.#count(node);
    // Members come first: what is only handed to is looked for by its name among them.
    const named = [...all].toSorted((a, b) => Number(this.#uses.has(b)) - Number(this.#uses.has(a)));
    for (const node of named) if (node !== root && !this.#isInline(node)) this.#take(node);
    for (const node of all) if (node !== root) this.#declare(node);
    const swarm = { ...this.#swarm(root), name };
    for (const { mode, agents = [] } of [...this.#swarms.values(), swarm]) {
      const lead = mode === "team" ? this.#agents.get(agents[0] ?? "") : undefined;
      if (lead) this.#handOnAtLimit(lead);
    }
    return {
      name,
      vars: new Map(),
      ...(this.#compat && { compat: "orbiter" as const }),
      agents: this.#agents,
      groups: this.#groups,
      swarms: this.#swarms,
      controls: new Map(),
      limits: {},
      swarm,
    };
  }

  /** How often each node is used in a line or group; a member of a handoff or team swarm needs its name anyway. */
  #count(node: OrbiterNode): void {
    if (node.type === "Agent") return;
    const times = node.type === "Swarm" && node.mode !== "workflow" ? 2 : 1;
    for (const member of node.members) this.#uses.set(member, (this.#uses.get(member) ?? 0) + times);
  }

  /** Its name in the flow file, its own where that is free. */
  #take(node: OrbiterNode): void {
    const originalName = node.name ?? "swarm";
    const plain = toPlainName(originalName, 190);
    const start = nameSchema.safeParse(plain).success ? plain : node.type.toLowerCase();
    let name = start;
    for (let number = 2; this.#used.has(name); number++) name = `${start} ${number}`;
    if (name !== originalName && node.name !== null)
      this.findings.note(
        "name-taken",
        `"${clip(originalName)}" is called "${clip(name)}" in the flow: names are unique.`,
      );
    this.#used.add(name);
    this.#names.set(node, name);
  }

  #declare(node: OrbiterNode): void {
    const name = this.#names.get(node);
    if (name === undefined) return;
    if (node.type === "Agent") this.#agents.set(name, this.#agent(node, name));
    else if (node.type === "Group") this.#groups.set(name, this.#group(node, name));
    else this.#swarms.set(name, { ...this.#swarm(node), name });
  }

  /** Field by field: what the schema refuses is told and left out. */
  #agent({ fields }: OrbiterAgent, name: string): Agent {
    const validFields: Record<string, unknown> = { model: orbiterModel };
    for (const [field, value] of Object.entries(fields)) {
      const tried = agentSchema.safeParse({ [field]: value });
      if (tried.success) validFields[field] = value;
      else
        this.findings.lose(
          "invalid-value",
          `\`${field}\` of agent "${clip(name)}" is ${clip(JSON.stringify(value) ?? "nothing")}: ${tried.error.issues[0]?.message ?? "not valid"}. The usual value is used.`,
        );
    }
    const agent: Agent = { type: "agent", ...agentSchema.parse(validFields), name };
    // Without tools an agent has its answer after one call.
    if (agent.tools.length > 0) this.#handOnAtLimit(agent);
    const lookUp = lookUpPlaces(agent.instructions).find((templatePlace) => templatePlace.lookUp);
    if (lookUp)
      this.findings.lose(
        "unknown-variable",
        `The instructions of "${clip(name)}" hold ${clip(lookUp.written)}: plain text in Orbiter, and replaced by a value here.`,
      );
    return agent;
  }

  /** At `max_steps` an agent of Orbiter hands its last text on, which `compat` implies. */
  #handOnAtLimit(agent: Agent): void {
    if (!this.#compat) agent.on_limit = "answer";
  }

  #group({ group, members, separator }: OrbiterGroup, name: string): Group {
    const memberExpressions = [...new Set(members)].map((member) => this.#expression(member));
    return {
      type: "group",
      name,
      mode: group,
      separator: separator ?? defaultSeparator,
      ...(memberExpressions.length > 0 && { flow: joinExpressions(group, memberExpressions) }),
    };
  }

  /** A member in a line: its name, or the members of a group that was created for this line. */
  #expression(node: OrbiterNode): Expression {
    if (node.type !== "Group" || !this.#isInline(node)) return nameExpression(this.#names.get(node) ?? "agent");
    return joinExpressions(
      node.group,
      node.members.map((member) => this.#expression(member)),
    );
  }

  /** Whether a group only represents parentheses: the export names such groups after their members. */
  #isInline(node: OrbiterNode): boolean {
    if (this.#compat || node.type !== "Group") return false;
    if (node.members.length < 2 || node.separator !== undefined) return false;
    const names = node.members.map((member) => member.name ?? "");
    return this.#uses.get(node) === 1 && node.name === inlineName(node.group, names);
  }

  #swarm(swarm: OrbiterSwarm): Omit<Swarm, "name"> {
    const members = [...new Set(swarm.members)];
    const flow = this.#line(swarm, members);
    if (swarm.mode === "workflow")
      return { type: "swarm", mode: "workflow", separator: defaultSeparator, ...(flow && { flow }) };
    const memberNames = members.map((member) => this.#names.get(member) ?? "agent");
    const order = flow ? orderOf(flow) : memberNames;
    // In a handoff swarm every member may receive a handoff; a team works with those that its flow names.
    const roster = swarm.mode === "handoff" ? [...new Set([...order, ...memberNames])] : order;
    const edges = members.flatMap((source) => this.#handoffs(source, members));
    const { maxHandoffs } = swarm;
    const limit = maxHandoffs !== undefined && maxHandoffs !== swarmDefaults.max_handoffs && maxHandoffs >= 0;
    return {
      type: "swarm",
      mode: swarm.mode,
      separator: defaultSeparator,
      agents: roster,
      ...(swarm.mode === "handoff" && edges.length > 0 && { edges }),
      ...(swarm.mode === "handoff" && limit && { max_handoffs: maxHandoffs }),
    };
  }

  /** The handoffs of an agent: Orbiter looks for a member of that name. */
  #handoffs(source: OrbiterNode, members: readonly OrbiterNode[]): [string, string][] {
    if (source.type !== "Agent") return [];
    return source.handoffs.flatMap((target): [string, string][] => {
      const member = members.includes(target) ? target : members.find(({ name }) => name === target.name);
      return member ? [[this.#names.get(source) ?? "", this.#names.get(member) ?? ""]] : [];
    });
  }

  /** The order of a swarm, in names of the flow file. */
  #line({ flow }: OrbiterSwarm, members: readonly OrbiterNode[]): Expression | undefined {
    const memberExpressions = new Map(members.map((member) => [member.name ?? "", this.#expression(member)]));
    const rename = (expression: Expression): Expression =>
      mapNames(expression, (name) => memberExpressions.get(name) ?? nameExpression(name));
    if (flow === undefined) return members.length > 0 ? serialExpression([...memberExpressions.values()]) : undefined;
    if (typeof flow !== "string") return rename(flow);
    const read = readOrbiterFlow(flow, new Set(memberExpressions.keys()));
    if (read) return rename(read);
    const { expression, problems } = parseFlow(flow);
    const message = problems[0]?.message ?? "It names an agent that is not in the swarm.";
    this.findings.lose("unknown-name", `The flow "${clip(flow)}" is not one that Orbiter takes. ${message}`);
    return expression ? rename(expression) : serialExpression([...memberExpressions.values()]);
  }
}

/** A name on one line, of at most so many characters. */
export const toPlainName = (text: string, length: number): string =>
  text
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .slice(0, length)
    .trim();

/** Whether a swarm would mean something else here: names side by side are an order in Orbiter, handoffs go by name. */
function meansOrder(node: OrbiterNode): boolean {
  if (node.type !== "Swarm" || node.mode === "team") return false;
  const { mode, flow = "" } = node;
  return mode === "handoff" || (typeof flow === "string" ? flow.includes("|") : containsParallel(flow));
}

/** The nodes that a node refers to: the targets of an agent's handoffs, the members of a group or swarm. */
export const referencedNodes = (node: OrbiterNode): readonly OrbiterNode[] =>
  node.type === "Agent" ? node.handoffs : node.members;

/** The nodes and everything that they contain, each once, in written order. */
function collect(nodes: readonly OrbiterNode[]): Set<OrbiterNode> {
  const collected = new Set<OrbiterNode>();
  const waiting = nodes.toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (collected.has(next)) continue;
    collected.add(next);
    waiting.push(...referencedNodes(next).toReversed());
  }
  return collected;
}
