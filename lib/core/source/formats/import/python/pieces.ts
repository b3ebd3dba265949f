import { type Expression, nameExpression, parallelExpression, serialExpression } from "../../../../flow/expression";
import { clip, type Range } from "../../../../flow/text-range";
import type { AgentPiece, GroupPiece, Piece, SwarmPiece } from "../build-flow";
import type { Findings } from "../imported";
import type { ConstructorName } from "./constructors";
import { type UnknownValue, unknownAt, type Value } from "./value";

export interface Argument {
  /** Empty for one that was given by its position. */
  name: string;
  value: Value;
  range: Range;
}

/** A call of one of Orbiter's constructors whose arguments were looked up. */
export interface ConstructorCall {
  type: ConstructorName;
  arguments: readonly Argument[];
  range: Range;
}

/** Makes agents, groups and swarms of constructor calls. What it cannot take over is reported as lost. */
export class PythonPieces {
  /** In the order in which they were made. */
  readonly made = new Set<Piece>();
  readonly #wrapped = new Set<Piece>();

  constructor(private readonly findings: Findings) {}

  construct(call: ConstructorCall): Value {
    const piece = this.#build(call);
    if (!piece) {
      this.findings.quarantine(`a ${call.type} that cannot be read`, call.range, { effect: "lost" });
      return unknownAt(call.range);
    }
    this.made.add(piece);
    return { type: "piece", piece };
  }

  /** Gives a piece the name of its variable where it has none of its own. */
  nameAfter(piece: Piece, variable: string): void {
    if (piece.type === "swarm") piece.name ??= variable;
    else if (piece.name === "") piece.name = variable;
  }

  /** `agent.field = value`; false: Orbiter does not look at it any more, or it cannot be read. */
  assign(piece: Piece, argument: Argument): boolean {
    if (piece.type !== "agent") return false;
    if (argument.name === "handoffs") return this.addHandoffs(piece, argument.value);
    if (!changeableFields.includes(argument.name)) return false;
    this.#takeField(argument, piece.name, piece.fields);
    return true;
  }

  /** Adds the agents of a list or mapping, or the one that it is, to those that `piece` may hand over to. */
  addHandoffs(piece: Piece, value: Value): boolean {
    if (piece.type !== "agent") return false;
    const targets = this.#piecesOf(value, `a handoff of "${clip(piece.name)}"`);
    for (const target of targets) if (!piece.handoffs.includes(target)) piece.handoffs.push(target);
    return targets.length > 0;
  }

  #build(call: ConstructorCall): Piece | null {
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

  #agent(call: ConstructorCall): AgentPiece {
    const name = this.#text(call, "name") ?? "";
    const piece: AgentPiece = { type: "agent", name, fields: {}, handoffs: [] };
    for (const argument of this.#rest(call, ["name"])) {
      const { name: field, value } = argument;
      if (field === "tools") piece.fields.tools = this.#tools(argument, name);
      else if (field === "handoffs") this.addHandoffs(piece, value);
      else if (agentFields.includes(field)) this.#takeField(argument, name, piece.fields);
      else this.#leave(argument, name);
    }
    return piece;
  }

  #takeField(argument: Argument, owner: string, fields: Record<string, unknown>): void {
    const { name, value } = argument;
    if (value.type === "text") fields[name] = value.text;
    else if (value.type === "number" || value.type === "boolean") fields[name] = value.value;
    else if (value.type !== "none") this.#leave(argument, owner);
  }

  #tools(argument: Argument, owner: string): string[] {
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
  #tool(item: Value, owner: string, range: Range): string | null {
    if (item.type === "text") return item.text;
    if (item.type === "tool" || item.type === "function") {
      if (item.keptCode) this.findings.markLost(item.keptCode);
      return item.type === "tool" ? item.name : item.toolName;
    }
    const place = item.type === "unknown" ? item.range : range;
    const name = item.type === "unknown" ? item.name : undefined;
    const what = name === undefined ? "a tool" : `the code of the tool ${clip(name)}`;
    this.findings.quarantine(`${what} of agent "${clip(owner)}"`, place, { effect: "lost" });
    return name ?? null;
  }

  #group(call: ConstructorCall, group: GroupPiece["group"]): GroupPiece {
    const name = this.#text(call, "name") ?? "";
    const separator = group === "parallel" ? this.#text(call, "separator") : undefined;
    const members = this.#members(call, `group "${clip(name)}"`);
    const known = ["name", "agents", ...(group === "parallel" ? ["separator"] : [])];
    for (const argument of this.#rest(call, known)) this.#leave(argument, name);
    return { type: "group", name, group, members, ...(separator !== undefined && { separator }) };
  }

  #swarm(call: ConstructorCall): SwarmPiece {
    const mode = this.#text(call, "mode") ?? "workflow";
    const known = modes.find((one) => one === mode);
    if (!known)
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
      type: "swarm",
      name: null,
      members,
      mode: known ?? "workflow",
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

  #swarmNode(call: ConstructorCall): Piece | null {
    const argument = this.#argument(call, "swarm");
    const inner = argument?.value.type === "piece" ? argument.value.piece : null;
    if (inner?.type !== "swarm") return null;
    for (const other of this.#rest(call, ["swarm", "name"])) this.#leave(other, "swarm");
    const name = this.#text(call, "name") ?? inner.name ?? "swarm";
    if (this.#wrapped.has(inner)) return { ...inner, name };
    this.#wrapped.add(inner);
    inner.name = name;
    return inner;
  }

  #members(call: ConstructorCall, owner: string): Piece[] {
    const argument = this.#argument(call, "agents") ?? this.#argument(call, "");
    return argument ? this.#piecesOf(argument.value, `a member of ${owner}`) : [];
  }

  /** The agents, groups and swarms of a list or mapping, or the one that it is; everything else is lost. */
  #piecesOf(value: Value, what: string): Piece[] {
    if (value.type === "none") return [];
    if (value.type !== "list" && value.type !== "dict") return this.#pieceOf(value, what);
    if (value.changedAt) this.findings.quarantine(`${what}: a list that changes`, value.changedAt, { effect: "lost" });
    if (value.changedAt) return [];
    const items = value.type === "list" ? value.items : value.entries.map(([, item]) => item);
    return items.flatMap((item) => this.#pieceOf(item, what));
  }

  #pieceOf(value: Value, what: string): Piece[] {
    if (value.type === "piece") return [value.piece];
    if (value.type === "unknown") this.#loseMember(value, what);
    else this.findings.lose("invalid-value", `Expected an agent, group or swarm as ${what}; found a ${value.type}.`);
    return [];
  }

  #loseMember({ name, range }: UnknownValue, what: string): void {
    if (name === undefined) this.findings.quarantine(what, range, { effect: "lost" });
    else
      this.findings.lose(
        "unknown-name",
        `Nothing that can be read is called \`${clip(name)}\`: ${what} is lost.`,
        range,
      );
  }

  #argument = (call: ConstructorCall, name: string): Argument | undefined =>
    call.arguments.find((argument) => argument.name === name);

  #rest = (call: ConstructorCall, read: readonly string[]): Argument[] => {
    const isMembers = read.includes("agents") && this.#argument(call, "agents") === undefined;
    const first = isMembers ? this.#argument(call, "") : undefined;
    return call.arguments.filter((argument) => argument !== first && !read.includes(argument.name));
  };

  #text(call: ConstructorCall, name: string): string | undefined {
    const argument = this.#argument(call, name);
    if (argument && argument.value.type !== "text" && argument.value.type !== "none") this.#leave(argument, "");
    return argument?.value.type === "text" ? argument.value.text : undefined;
  }

  #leave({ name, value, range }: Argument, owner: string): void {
    if (isEmpty(value)) return;
    const what = name === "" ? "an argument without a name" : `argument ${name}`;
    const effect = name === "output_type" ? "note" : "lost";
    this.findings.quarantine(owner === "" ? what : `${what} of "${clip(owner)}"`, range, { effect });
  }
}

const agentFields = ["model", "instructions", "max_steps", "temperature", "max_tokens"];
/** The fields that an agent of Orbiter still looks at after it was made. */
const changeableFields = ["instructions", "max_steps", "temperature", "max_tokens"];
const modes = ["workflow", "handoff", "team"] as const;

/** What an argument says that leaves everything as usual. */
const isEmpty = (value: Value): boolean =>
  value.type === "none" || (value.type === "list" && value.items.length === 0 && !value.changedAt);

/** `a >> (b | c)` with agents instead of a text. */
function toFlow(value: Value): Expression | null {
  if (value.type === "flow") return value.expression;
  if (value.type === "text") return nameExpression(value.text);
  return value.type === "piece" ? nameExpression(value.piece.name ?? "swarm") : null;
}

/** What `>>` and `|` make of agents; null when they make none. */
export function joinFlow(sign: ">>" | "|", values: readonly Value[]): Expression | null {
  const members = values.map(toFlow);
  const join = sign === ">>" ? serialExpression : parallelExpression;
  return members.every((member) => member !== null) ? join(members) : null;
}
