import { parseFlow } from "../../../dsl/parse";
import {
  type Expression,
  holdsParallel,
  mapNames,
  nameExpression,
  parallelExpression,
  serialExpression,
} from "../../../flow/expression";
import { defaultSeparator, type Flow, nameSchema } from "../../../flow/flow";
import { lookUpPlaces } from "../../../flow/template-variables";
import { clip } from "../../../flow/text-range";
import { type Agent, agentSchema } from "../../../kinds/agent";
import type { Group } from "../../../kinds/group";
import { type Swarm, swarmDefaults } from "../../../kinds/swarm";
import { writeSource } from "../../write-source";
import { orderOf, readOrbiterFlow } from "../orbiter-flow";
import { inlineName } from "../python-text";
import type { Findings } from "./imported";

/** What Orbiter's constructors make, before names are settled. One object may stand in several places. */
export type Piece = AgentPiece | GroupPiece | SwarmPiece;

export interface AgentPiece {
  type: "agent";
  name: string;
  fields: Record<string, unknown>;
  handoffs: Piece[];
}

export interface GroupPiece {
  type: "group";
  name: string;
  group: Group["mode"];
  members: readonly Piece[];
  separator?: string;
}

export interface SwarmPiece {
  type: "swarm";
  /** As a node of another swarm; null: nothing calls it by a name. */
  name: string | null;
  members: readonly Piece[];
  mode: "workflow" | "handoff" | "team";
  /** A line of text, or one that was drawn with operators. */
  flow?: string | Expression;
  maxHandoffs?: number;
}

export interface Pieces {
  root: SwarmPiece;
  /** Everything that was made, in written order; what the root does not hold is declared beside it. */
  pieces: readonly Piece[];
  name: string;
}

/** The flow file that says what the pieces say. */
export function buildFlow({ root, pieces, name }: Pieces, findings: Findings): string {
  return writeSource(new FlowBuilder(pieces, findings).build(root, name));
}

/** The model that Orbiter's agents ask when nobody says another. */
const orbiterModel = "openai:gpt-4o";

class FlowBuilder {
  readonly #names = new Map<Piece, string>();
  readonly #used = new Set<string>();
  readonly #uses = new Map<Piece, number>();
  readonly #agents = new Map<string, Agent>();
  readonly #groups = new Map<string, Group>();
  readonly #swarms = new Map<string, Swarm>();
  /** Whether the lines mean what they mean in Orbiter: then no group may become parentheses, which are an order there. */
  #compat = false;

  constructor(
    private readonly pieces: readonly Piece[],
    private readonly findings: Findings,
  ) {}

  build(root: SwarmPiece, name: string): Flow {
    const all = collect([...this.pieces, root]);
    this.#compat = [...all].some(meansOrder);
    for (const piece of all) this.#count(piece);
    // Members come first: what is only handed to is looked for by its name among them.
    const named = [...all].toSorted((a, b) => Number(this.#uses.has(b)) - Number(this.#uses.has(a)));
    for (const piece of named) if (piece !== root && !this.#isInline(piece)) this.#take(piece);
    for (const piece of all) if (piece !== root) this.#declare(piece);
    const swarm = { ...this.#swarm(root), name };
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

  /** How often each piece is used in a line or group; a member of a handoff or team swarm needs its name anyway. */
  #count(piece: Piece): void {
    if (piece.type === "agent") return;
    const times = piece.type === "swarm" && piece.mode !== "workflow" ? 2 : 1;
    for (const member of piece.members) this.#uses.set(member, (this.#uses.get(member) ?? 0) + times);
  }

  /** Its name in the flow file, its own where that is free. */
  #take(piece: Piece): void {
    const own = piece.name ?? "swarm";
    const plain = own
      .replaceAll(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 190)
      .trim();
    const start = nameSchema.safeParse(plain).success ? plain : piece.type;
    let name = start;
    for (let number = 2; this.#used.has(name); number++) name = `${start} ${number}`;
    if (name !== own && piece.name !== null)
      this.findings.note("name-taken", `"${clip(own)}" is called "${clip(name)}" in the flow: names are unique.`);
    this.#used.add(name);
    this.#names.set(piece, name);
  }

  #declare(piece: Piece): void {
    const name = this.#names.get(piece);
    if (name === undefined) return;
    if (piece.type === "agent") this.#agents.set(name, this.#agent(piece, name));
    else if (piece.type === "group") this.#groups.set(name, this.#group(piece, name));
    else this.#swarms.set(name, { ...this.#swarm(piece), name });
  }

  /** Field by field: what the schema refuses is told and left out. */
  #agent({ fields }: AgentPiece, name: string): Agent {
    const kept: Record<string, unknown> = { model: orbiterModel };
    for (const [field, value] of Object.entries(fields)) {
      const tried = agentSchema.safeParse({ [field]: value });
      if (tried.success) kept[field] = value;
      else
        this.findings.lose(
          "invalid-value",
          `\`${field}\` of agent "${clip(name)}" is ${clip(JSON.stringify(value) ?? "nothing")}: ${tried.error.issues[0]?.message ?? "not valid"}. The usual value is used.`,
        );
    }
    const { instructions = "" } = kept;
    const [lookUp] = typeof instructions === "string" ? lookUpPlaces(instructions).filter((place) => place.lookUp) : [];
    if (lookUp)
      this.findings.lose(
        "unknown-variable",
        `The instructions of "${clip(name)}" hold ${clip(lookUp.written)}: plain text in Orbiter, and replaced by a value here.`,
      );
    return { type: "agent", ...agentSchema.parse(kept), name };
  }

  #group({ group, members, separator }: GroupPiece, name: string): Group {
    const join = group === "parallel" ? parallelExpression : serialExpression;
    const parts = [...new Set(members)].map((member) => this.#expression(member));
    return {
      type: "group",
      name,
      mode: group,
      separator: separator ?? defaultSeparator,
      ...(parts.length > 0 && { flow: join(parts) }),
    };
  }

  /** A member as it stands in a line: its name, or what a group made for this line holds. */
  #expression(piece: Piece): Expression {
    if (piece.type !== "group" || !this.#isInline(piece)) return nameExpression(this.#names.get(piece) ?? "agent");
    const join = piece.group === "parallel" ? parallelExpression : serialExpression;
    return join(piece.members.map((member) => this.#expression(member)));
  }

  /** Whether a group only stands for parentheses: the export names such groups after their members. */
  #isInline(piece: Piece): boolean {
    if (this.#compat || piece.type !== "group") return false;
    if (piece.members.length < 2 || piece.separator !== undefined) return false;
    const names = piece.members.map((member) => member.name ?? "");
    return this.#uses.get(piece) === 1 && piece.name === inlineName(piece.group, names);
  }

  #swarm(piece: SwarmPiece): Omit<Swarm, "name"> {
    const members = [...new Set(piece.members)];
    const flow = this.#line(piece, members);
    if (piece.mode === "workflow")
      return { type: "swarm", mode: "workflow", separator: defaultSeparator, ...(flow && { flow }) };
    const own = members.map((member) => this.#names.get(member) ?? "agent");
    const order = flow ? orderOf(flow) : own;
    // In a handoff swarm everybody may be handed to; a team works with those that its flow names.
    const roster = piece.mode === "handoff" ? [...new Set([...order, ...own])] : order;
    const edges = members.flatMap((from) => this.#handoffs(from, members));
    const { maxHandoffs } = piece;
    const limit = maxHandoffs !== undefined && maxHandoffs !== swarmDefaults.max_handoffs && maxHandoffs >= 0;
    return {
      type: "swarm",
      mode: piece.mode,
      separator: defaultSeparator,
      agents: roster,
      ...(piece.mode === "handoff" && edges.length > 0 && { edges }),
      ...(piece.mode === "handoff" && limit && { max_handoffs: maxHandoffs }),
    };
  }

  /** Who may hand over to whom: Orbiter looks for a member of that name. */
  #handoffs(from: Piece, members: readonly Piece[]): [string, string][] {
    if (from.type !== "agent") return [];
    return from.handoffs.flatMap((target): [string, string][] => {
      const to = members.includes(target) ? target : members.find(({ name }) => name === target.name);
      return to ? [[this.#names.get(from) ?? "", this.#names.get(to) ?? ""]] : [];
    });
  }

  /** The order of a swarm, in names of the flow file. */
  #line({ flow }: SwarmPiece, members: readonly Piece[]): Expression | undefined {
    const own = new Map(members.map((member) => [member.name ?? "", this.#expression(member)]));
    const rename = (expression: Expression): Expression =>
      mapNames(expression, (name) => own.get(name) ?? nameExpression(name));
    if (flow === undefined) return members.length > 0 ? serialExpression([...own.values()]) : undefined;
    if (typeof flow !== "string") return rename(flow);
    const read = readOrbiterFlow(flow, new Set(own.keys()));
    if (read) return rename(read);
    const { expression, problems } = parseFlow(flow);
    const message = problems[0]?.message ?? "It names somebody who is not in the swarm.";
    this.findings.lose("unknown-name", `The flow "${clip(flow)}" is not one that Orbiter takes. ${message}`);
    return expression ? rename(expression) : serialExpression([...own.values()]);
  }
}

/** Whether a swarm would mean something else here: names side by side are an order in Orbiter, handoffs go by name. */
function meansOrder(piece: Piece): boolean {
  if (piece.type !== "swarm" || piece.mode === "team") return false;
  const { mode, flow = "" } = piece;
  return mode === "handoff" || (typeof flow === "string" ? flow.includes("|") : holdsParallel(flow));
}

/** The pieces and everything that they hold, each once, in written order. */
function collect(pieces: readonly Piece[]): Set<Piece> {
  const found = new Set<Piece>();
  const waiting = pieces.toReversed();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(next.type === "agent" ? next.handoffs : next.members).toReversed());
  }
  return found;
}
