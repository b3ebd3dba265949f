import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../flow/expression";
import { clip, type Range } from "../../flow/text";
import type { AgentPiece, GroupPiece, Piece, SwarmPiece } from "./build-flow";
import type { Findings } from "./imported";
import type { PythonCall, PythonValue } from "./python-syntax";

/** What a variable of the module stands for. */
export type Bound =
  | { type: "piece"; piece: Piece }
  | { type: "value"; value: PythonValue }
  | { type: "tool"; name: string };

type Argument = PythonCall["named"][number];

/** Carries out the constructor calls of a module on paper: variables, agents, groups and swarms. */
export class PythonPieces {
  /** In the order in which they were made. */
  readonly made: Piece[] = [];
  readonly #variables = new Map<string, Bound>();
  readonly #aliases = new Map<string, string>();

  constructor(
    private readonly text: string,
    private readonly findings: Findings,
  ) {}

  /** `from orbiter import Agent as Worker` */
  alias(alias: string, name: string): void {
    this.#aliases.set(alias, name);
  }

  store(variable: string, bound: Bound): void {
    const piece = bound.type === "piece" ? bound.piece : null;
    if (piece && piece.name === "" && piece.type !== "swarm") piece.name = variable;
    this.#variables.set(variable, bound);
    if (piece?.type === "swarm") piece.name ??= variable;
  }

  /** What a value stands for; null for what would have to be run. */
  evaluate(value: PythonValue): Bound | null {
    if (value.type === "name") return this.#variables.get(value.name) ?? null;
    if (value.type === "call") {
      const piece = this.#construct(value);
      return piece && { type: "piece", piece };
    }
    return isKnown(value) ? { type: "value", value } : null;
  }

  /** `agent.handoffs[…] = other`, or a list or mapping of others. False: that is not what it says. */
  addHandoffs(variable: string, bound: Bound): boolean {
    const owner = this.#variables.get(variable);
    if (owner?.type !== "piece" || owner.piece.type !== "agent") return false;
    const targets = bound.type === "piece" ? [bound.piece] : bound.type === "value" ? this.#piecesOf(bound.value) : [];
    for (const target of targets) if (!owner.piece.handoffs.includes(target)) owner.piece.handoffs.push(target);
    return targets.length > 0;
  }

  #construct(call: PythonCall): Piece | null {
    const piece = this.#build(call);
    if (piece && !this.made.includes(piece)) this.made.push(piece);
    return piece;
  }

  #build(call: PythonCall): Piece | null {
    switch (this.#aliases.get(call.name) ?? call.name) {
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
      default:
        return null;
    }
  }

  #agent(call: PythonCall): AgentPiece {
    const name = this.#text(call, "name") ?? "";
    const fields: Record<string, unknown> = {};
    const handoffs: Piece[] = [];
    for (const argument of this.#rest(call, ["name"])) {
      const { name: field, value } = argument;
      if (field === "tools") fields.tools = this.#tools(argument, name);
      else if (field === "handoffs") handoffs.push(...this.#piecesOf(value));
      else if (agentFields.includes(field)) this.#field(argument, name, fields);
      else this.#leave(argument, name);
    }
    return { type: "agent", name, fields, handoffs };
  }

  #field(argument: Argument, owner: string, fields: Record<string, unknown>): void {
    const value = this.#plain(argument.value);
    if (value === undefined) this.#leave(argument, owner);
    else if (value !== null) fields[argument.name] = value;
  }

  #tools({ value, range }: Argument, owner: string): string[] {
    const found = this.#resolve(value);
    const items = found.type === "list" ? found.items : [found];
    const names = items.flatMap((item) => {
      const bound = item.type === "name" ? this.#variables.get(item.name) : undefined;
      if (bound?.type === "tool") return [bound.name];
      if (item.type === "name") return [item.name];
      if (item.type === "text") return [item.text];
      if (item.type !== "none") this.findings.quarantine(`a tool of agent "${clip(owner)}"`, rangeOf(item) ?? range);
      return [];
    });
    return [...new Set(names)];
  }

  #group(call: PythonCall, group: GroupPiece["group"]): GroupPiece {
    const name = this.#text(call, "name") ?? "";
    const separator = group === "parallel" ? this.#text(call, "separator") : undefined;
    for (const argument of this.#rest(call, ["name", "agents", ...(separator === undefined ? [] : ["separator"])]))
      this.#leave(argument, name);
    const members = this.#members(call);
    return { type: "group", name, group, members, ...(separator !== undefined && { separator }) };
  }

  #swarm(call: PythonCall): SwarmPiece {
    const mode = this.#text(call, "mode") ?? "workflow";
    const known = modes.find((one) => one === mode);
    if (!known)
      this.findings.report(
        "invalid-value",
        "warning",
        `The mode "${clip(mode)}" of a swarm is none of ${modes.join(", ")}; it becomes a workflow.`,
        call.range,
      );
    const flow = this.#flow(call);
    const limit = this.#plain(this.#argument(call, "max_handoffs")?.value ?? { type: "none" });
    const read = ["agents", "mode", "flow", "max_handoffs"];
    for (const argument of this.#rest(call, read)) this.#leave(argument, "swarm");
    return {
      type: "swarm",
      name: null,
      members: this.#members(call),
      mode: known ?? "workflow",
      ...(flow !== null && { flow }),
      ...(typeof limit === "number" && { maxHandoffs: limit }),
    };
  }

  #flow(call: PythonCall): string | Expression | null {
    const argument = this.#argument(call, "flow");
    if (!argument) return null;
    const value = this.#resolve(argument.value);
    if (value.type === "text") return value.text;
    const drawn = value.type === "none" ? null : this.#drawn(value);
    if (value.type !== "none" && !drawn) this.#leave(argument, "swarm");
    return drawn;
  }

  /** `a >> (b | c)` with variables instead of a text. */
  #drawn(value: PythonValue): Expression | null {
    if (value.type === "operator") {
      const members = value.members.map((member) => this.#drawn(member));
      const join = value.sign === ">>" ? serialExpression : parallelExpression;
      return members.every((member) => member !== null) ? join(members) : null;
    }
    if (value.type === "text") return nameExpression(value.text);
    const bound = value.type === "name" ? this.#variables.get(value.name) : undefined;
    return bound?.type === "piece" ? nameExpression(bound.piece.name ?? "swarm") : null;
  }

  #swarmNode(call: PythonCall): Piece | null {
    const argument = this.#argument(call, "swarm");
    const [inner] = argument ? this.#piecesOf(argument.value) : [];
    if (inner?.type !== "swarm") return null;
    for (const other of this.#rest(call, ["swarm", "name"])) this.#leave(other, "swarm");
    const name = this.#text(call, "name") ?? inner.name ?? "swarm";
    const isWrapped = this.#wrapped.has(inner);
    if (isWrapped) return { ...inner, name };
    this.#wrapped.add(inner);
    inner.name = name;
    return inner;
  }

  readonly #wrapped = new Set<Piece>();

  #members(call: PythonCall): Piece[] {
    const argument = this.#argument(call, "agents") ?? null;
    const value = argument?.value ?? call.positional[0];
    return value ? this.#piecesOf(value) : [];
  }

  /** The agents, groups and swarms of a list, tuple or mapping, or the one that it is; others are quarantined. */
  #piecesOf(value: PythonValue): Piece[] {
    const found = this.#resolve(value);
    if (found.type === "list") return found.items.flatMap((item) => this.#piecesOf(item));
    if (found.type === "dict") return found.entries.flatMap(([, item]) => this.#piecesOf(item));
    const bound = found.type === "none" ? null : this.evaluate(found);
    if (bound?.type === "piece") return [bound.piece];
    const range = rangeOf(found);
    if (range) this.findings.quarantine("a member", range);
    else if (found.type === "name")
      this.findings.report("unknown-name", "warning", `Nothing that can be read is called \`${clip(found.name)}\`.`);
    return [];
  }

  /** The value behind variables. */
  #resolve(value: PythonValue): PythonValue {
    const bound = value.type === "name" ? this.#variables.get(value.name) : undefined;
    return bound?.type === "value" ? bound.value : value;
  }

  #argument = ({ named }: PythonCall, name: string): Argument | undefined =>
    named.find((argument) => argument.name === name);

  #rest = ({ named }: PythonCall, read: readonly string[]): Argument[] =>
    named.filter(({ name }) => !read.includes(name));

  #text(call: PythonCall, name: string): string | undefined {
    const argument = this.#argument(call, name);
    const value = argument && this.#resolve(argument.value);
    if (argument && value && value.type !== "text" && value.type !== "none") this.#leave(argument, "");
    return value?.type === "text" ? value.text : undefined;
  }

  /** A text, number, boolean or null; undefined for everything else. */
  #plain(value: PythonValue): string | number | boolean | null | undefined {
    const found = this.#resolve(value);
    if (found.type === "text") return found.text;
    if (found.type === "number" || found.type === "boolean") return found.value;
    return found.type === "none" ? null : undefined;
  }

  #leave({ name, range }: Argument, owner: string): void {
    const what = owner === "" ? `argument ${name}` : `argument ${name} of "${clip(owner)}"`;
    this.findings.quarantine(what, range, this.text.slice(range.from, range.to));
  }
}

const agentFields = ["model", "instructions", "max_steps", "temperature", "max_tokens"];
const modes = ["workflow", "handoff", "team"] as const;

const rangeOf = (value: PythonValue): Range | null =>
  value.type === "call" || value.type === "unknown" ? value.range : null;

/** Whether nothing in a value would have to be run; names are looked up where they are used. */
function isKnown(value: PythonValue): boolean {
  switch (value.type) {
    case "unknown":
      return false;
    case "list":
      return value.items.every(isKnown);
    case "dict":
      return value.entries.every(([key, one]) => isKnown(key) && isKnown(one));
    case "operator":
      return value.members.every(isKnown);
    default:
      return true;
  }
}
