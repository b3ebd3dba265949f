import { type Expression, namesOf } from "../../../flow/expression";
import { type Control, defaultSeparator, type Flow, findDeclaration, limits } from "../../../flow/flow";
import { clip } from "../../../flow/text-range";
import type { Agent } from "../../../kinds/agent";
import type { Group } from "../../../kinds/group";
import { declaredNames } from "../../../kinds/members";
import { membersOf } from "../../../kinds/registry";
import { type Swarm, swarmDefaults } from "../../../kinds/swarm";
import { rosterOf } from "../../../kinds/swarm-roster";
import { isOrbiterName, printOrbiterFlow } from "../orbiter-flow";
import {
  Identifiers,
  inlineName,
  toolStub,
  toPythonCall,
  toPythonComment,
  toPythonList,
  toPythonString,
} from "../python-text";
import type { Exported } from "./exported";
import { printPythonAgent } from "./python-agent";

/**
 * A Python module for the Orbiter library: agents, groups and swarms, each before the group or swarm that contains it. It can be imported
 * as it is. What Orbiter does not have is named in a comment at its position, and in `losses`.
 */
export function exportPython(flow: Flow): Exported {
  const writer = new PythonWriter(flow);
  const text = writer.write();
  return { text, notes: [...writer.notes], losses: [...writer.losses] };
}

/** Something that can be a member of a swarm or group. */
interface PythonMember {
  variable: string;
  /** What Orbiter calls it. */
  name: string;
  isGroup: boolean;
}

class PythonWriter {
  readonly notes = new Set<string>();
  readonly losses = new Set<string>();
  readonly #identifiers = new Identifiers();
  readonly #names = new Map<string, string>();
  readonly #usedNames = new Set<string>();
  readonly #nodes = new Map<string, PythonMember | null>();
  readonly #tools = new Map<string, string>();
  readonly #uses = new Set(["Agent"]);
  readonly #blocks: string[] = [];
  #asksHumans = false;

  constructor(private readonly flow: Flow) {}

  write(): string {
    const { flow } = this;
    for (const name of declaredNames(flow)) this.#node(name, 0);
    const root = this.#swarm(flow.swarm, 0);
    if (root) {
      const advice = 'Run it: from orbiter import run; print(run.sync(swarm, "your question").output)';
      this.#blocks.push(`swarm = ${root}`, toPythonComment(advice));
    } else this.#blocks.push(toPythonComment("Orbiter can express nothing of the root swarm."));
    const tools = [...this.#tools].map(([name, variable]) => toolStub(variable, name));
    if (tools.length > 0) this.#uses.add("tool");
    const imports = [`from orbiter import ${[...this.#uses].sort().join(", ")}`];
    if (this.#asksHumans) imports.push("from orbiter.human import HumanInputTool");
    if (Object.keys(flow.limits).length > 0) this.losses.add("Orbiter has no limits of a whole run.");
    const stubs = tools.length > 0 ? [`\n${tools.join("\n\n\n")}\n`] : [];
    return `${[`"""${docText(flow.name)}"""`, imports.join("\n"), ...stubs, ...this.#blocks].join("\n\n")}\n`;
  }

  /** What is declared under `name`, written before it is answered; null for what Orbiter does not know. */
  #node(name: string, depth: number): PythonMember | null {
    const writtenNode = this.#nodes.get(name);
    if (writtenNode !== undefined) return writtenNode;
    this.#nodes.set(name, null);
    const declaration = findDeclaration(this.flow, name);
    if (!declaration) this.losses.add(`Nothing is declared as "${clip(name)}": it is left out.`);
    if (!declaration || depth > limits.depth) return null;
    const node = this.#declare(declaration, depth);
    this.#nodes.set(name, node);
    return node;
  }

  #declare(declaration: NonNullable<ReturnType<typeof findDeclaration>>, depth: number): PythonMember | null {
    switch (declaration.type) {
      case "agent":
        return this.#agent(declaration);
      case "group":
        return this.#group(declaration, depth);
      case "swarm":
        return this.#swarmNode(declaration, depth);
      default:
        return this.#leaveOut(declaration);
    }
  }

  #agent(agent: Agent): PythonMember {
    const node = this.#newMember(agent.name, false);
    const tools = agent.tools.map((tool) => this.#tool(tool));
    const text = { agent, name: node.name, tools, vars: this.flow.vars, notes: this.notes, losses: this.losses };
    this.#blocks.push(printPythonAgent(node.variable, text));
    return node;
  }

  #newMember = (name: string, isGroup: boolean): PythonMember => ({
    variable: this.#identifiers.take(name),
    name: this.#nameOf(name),
    isGroup,
  });

  #tool(name: string): string {
    if (name === "ask_human") {
      this.#asksHumans = true;
      this.notes.add("The tool `ask_human` is Orbiter's HumanInputTool, which its agents know as `human_input`.");
      return "HumanInputTool()";
    }
    this.losses.add("Tools are placeholders that you replace with code.");
    const variable = this.#tools.get(name) ?? this.#identifiers.take(name);
    this.#tools.set(name, variable);
    return variable;
  }

  #group(group: Group, depth: number): PythonMember | null {
    const { name, mode: type, flow, separator, on_error } = group;
    if (!flow) return null;
    const members = flow.type === type ? flow.members : [flow];
    if (on_error === "continue") this.losses.add("Orbiter's groups stop at the first error.");
    return this.#writeGroup({ name, type, members, separator }, depth);
  }

  #writeGroup(
    group: { name: string; type: Group["mode"]; members: readonly Expression[]; separator: string },
    depth: number,
  ): PythonMember | null {
    const members = group.members.flatMap((member) => this.#member(member, group.separator, depth + 1) ?? []);
    if (members.length === 0) return null;
    if (members.some(({ isGroup }) => isGroup))
      this.losses.add("Orbiter cannot run a group or swarm inside a group: it fails when it gets there.");
    const kind = group.type === "parallel" ? "ParallelGroup" : "SerialGroup";
    this.#uses.add(kind);
    const node = this.#newMember(group.name, true);
    const isUsual = group.type === "serial" || group.separator === defaultSeparator;
    const call = toPythonCall(kind, {
      name: toPythonString(node.name),
      agents: toPythonList(members.map(({ variable }) => variable)),
      separator: isUsual ? undefined : toPythonString(group.separator),
    });
    this.#blocks.push(`${node.variable} = ${call}`);
    return node;
  }

  /** A name, or a group for an expression in parentheses. */
  #member(expression: Expression, separator: string, depth: number): PythonMember | null {
    if (depth > limits.depth) return null;
    if (expression.type === "name") return this.#node(expression.name, depth);
    const { type, members } = expression;
    const memberNames = members.map((member) => (member.type === "name" ? member.name : ""));
    const preferredName = memberNames.includes("") ? null : inlineName(type, memberNames);
    const name =
      preferredName === null || findDeclaration(this.flow, preferredName) ? this.#freeName(type) : preferredName;
    return this.#writeGroup({ name, type, members, separator }, depth);
  }

  #freeName(type: Group["mode"]): string {
    let number = 1;
    while (findDeclaration(this.flow, `${type} ${number}`) || this.#names.has(`${type} ${number}`)) number++;
    return `${type} ${number}`;
  }

  #swarmNode(swarm: Swarm, depth: number): PythonMember | null {
    const swarmCall = this.#swarm(swarm, depth + 1);
    if (swarmCall === null) return null;
    this.#uses.add("SwarmNode");
    const node = this.#newMember(swarm.name, true);
    const call = toPythonCall("SwarmNode", { swarm: swarmCall, name: toPythonString(node.name) });
    this.#blocks.push(`${node.variable} = ${call}`);
    return node;
  }

  /** The call that creates a swarm; null when Orbiter can express nothing of it. */
  #swarm(swarm: Swarm, depth: number): string | null {
    this.#uses.add("Swarm");
    return swarm.mode === "workflow" ? this.#workflow(swarm, depth) : this.#rosterSwarm(swarm, depth);
  }

  #workflow({ flow, separator, edges }: Swarm, depth: number): string | null {
    if (edges) this.losses.add("A drawing that no flow line can express is left out.");
    if (!flow) return null;
    if (this.flow.compat === "orbiter") return this.#orbiterWorkflow(flow, depth);
    const stages = flow.type === "serial" ? flow.members : [flow];
    const nodes = stages.flatMap((stage) => this.#member(stage, separator, depth + 1) ?? []);
    if (nodes.length === 0) return null;
    return toPythonCall("Swarm", {
      agents: toPythonList(nodes.map(({ variable }) => variable)),
      flow: toPythonString(nodes.map(({ name }) => name).join(" >> ")),
    });
  }

  /** As Orbiter itself would write it: names side by side are an order. */
  #orbiterWorkflow(flow: Expression, depth: number): string | null {
    const nodes = new Map(namesOf(flow).map(({ name }) => [name, this.#node(name, depth + 1)]));
    const members = [...nodes.values()].filter((node) => node !== null);
    if (members.length < nodes.size) return null;
    return toPythonCall("Swarm", {
      agents: toPythonList(members.map(({ variable }) => variable)),
      flow: toPythonString(printOrbiterFlow(flow, (name) => nodes.get(name)?.name ?? name)),
    });
  }

  #rosterSwarm(swarm: Swarm, depth: number): string | null {
    const nodes = new Map(rosterOf(swarm).map((name) => [name, this.#node(name, depth + 1)]));
    const members = [...nodes.values()].filter((node) => node !== null);
    if (members.length === 0) return null;
    if (swarm.mode === "orchestrate")
      this.losses.add("Orbiter has no orchestrate mode: the lead delegates and waits instead of spawning.");
    if (swarm.mode === "handoff") this.#handoffs(swarm, nodes);
    const { max_handoffs } = swarm;
    return toPythonCall("Swarm", {
      agents: toPythonList(members.map(({ variable }) => variable)),
      mode: toPythonString(swarm.mode === "orchestrate" ? "team" : swarm.mode),
      max_handoffs: max_handoffs === swarmDefaults.max_handoffs ? undefined : max_handoffs?.toString(),
    });
  }

  #handoffs({ edges = [] }: Swarm, nodes: ReadonlyMap<string, PythonMember | null>): void {
    if (this.flow.compat !== "orbiter")
      this.losses.add(
        "In Orbiter an agent hands over by answering with the other agent's name: add that to its instructions.",
      );
    const lines = edges.flatMap(([source, target]) => {
      const [a, b] = [nodes.get(source), nodes.get(target)];
      return a && b ? [`${a.variable}.handoffs[${toPythonString(b.name)}] = ${b.variable}`] : [];
    });
    if (lines.length > 0) this.#blocks.push(lines.join("\n"));
  }

  #leaveOut(control: Control): null {
    const members = membersOf(control);
    const memberList = members.length > 0 ? ` round ${members.join(", ")}` : "";
    this.losses.add(`Orbiter has no ${control.type}: "${clip(control.name)}" is left out.`);
    this.#blocks.push(toPythonComment(`Left out: the ${control.type} "${control.name}"${memberList}.`));
    return null;
  }

  /** What Orbiter calls it: its flow lines have no quoting. */
  #nameOf(name: string): string {
    const existingName = this.#names.get(name);
    if (existingName !== undefined) return existingName;
    const plain = isOrbiterName(name) ? name : name.replaceAll(/[|()]|>>/g, "-").trim();
    if (plain !== name) this.notes.add(`Orbiter cannot write the name "${clip(name)}": it becomes "${clip(plain)}".`);
    let freeName = plain;
    for (let number = 2; this.#usedNames.has(freeName); number++) freeName = `${plain} ${number}`;
    this.#names.set(name, freeName);
    this.#usedNames.add(freeName);
    return freeName;
  }
}

/** A text inside triple quotes, on one line. */
const docText = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ")
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"');
