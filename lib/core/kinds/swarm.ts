import { type Expression, nameExpression, serialExpression, sourcesOf } from "../flow/expression";
import type { NodeDeclaration } from "../flow/flow";
import { defaultSeparator } from "../flow/flow";
import { compareCodePoints } from "../flow/graph";
import { checkSwarmMode } from "./check-swarm-mode";
import { addDeclaration, defineKind, membersOfLanes } from "./define-kind";
import { swarmFieldTypes } from "./field-types";
import type { NodeKind } from "./node-kind";
import { rosterOf } from "./swarm-roster";

declare module "../flow/flow" {
  interface DeclarationTypes {
    swarm: Swarm;
  }
}

export const swarmModes = ["workflow", "handoff", "team", "orchestrate"] as const;
export const swarmDefaults = { max_handoffs: 10, max_concurrent: 4, max_agents: 20 } as const;

/** Agents and a mode of working together: the root of a flow, or nested in it. */
export interface Swarm extends NodeDeclaration {
  type: "swarm";
  /** The declared name; the root swarm's is the flow's name. */
  name: string;
  mode: (typeof swarmModes)[number];
  /** workflow: the topology. Missing when its text could not be read, or while `edges` contain a draft. */
  flow?: Expression;
  /** handoff, team, orchestrate: the members; the first starts or leads. */
  agents?: readonly string[];
  /** handoff: the allowed handoffs. workflow: a drawing that no DSL text can express (a draft; it cannot run). */
  edges?: readonly (readonly [string, string])[];
  max_handoffs?: number;
  /** orchestrate: background agents that run at the same time, and in all. */
  max_concurrent?: number;
  max_agents?: number;
  separator: string;
}

/** Empty for a mode without a limit. */
export function describeSwarmLimit({ mode, max_handoffs: handoffs, max_concurrent: concurrent }: Swarm): string {
  if (mode === "handoff") return `at most ${handoffs ?? swarmDefaults.max_handoffs} handoffs`;
  return mode === "orchestrate" ? `at most ${concurrent ?? swarmDefaults.max_concurrent} at once` : "";
}

export const swarmKind: NodeKind<Swarm> = defineKind<Swarm>({
  type: "swarm",
  section: "swarms",
  fieldTypes: swarmFieldTypes,
  collection: ({ swarms }) => swarms,
  declare: ({ swarms }, swarm) => addDeclaration(swarms, swarm),
  create: (name) => ({ type: "swarm", name, mode: "workflow", separator: defaultSeparator }),
  read(reader) {
    const mode = reader.choice("type", swarmModes, "workflow");
    const written = reader.flow("flow");
    const order = reader.names("order") ?? [];
    const flow = written ?? (reader.has("flow") ? undefined : toSerial(order));
    const agents = reader.names("agents") ?? (mode === "handoff" ? withStartFirst(written, order) : undefined);
    const edges = reader.edges("edges");
    const maxHandoffs = reader.number("max_handoffs", { least: 0, most: 1000 });
    const maxConcurrent = reader.number("max_concurrent", { least: 1, most: 1000 });
    const maxAgents = reader.number("max_agents", { least: 1, most: 10_000 });
    if (!reader.isRoot && mode === "workflow" && !flow && !agents && !edges && !reader.has("flow"))
      reader.report("empty-flow", `${reader.title} has no flow yet. Write e.g. flow: a >> b.`);
    return {
      type: "swarm",
      name: reader.name,
      mode,
      separator: reader.filledText("separator") ?? defaultSeparator,
      ...(flow && !(edges && mode === "workflow") && { flow }),
      ...(agents && { agents }),
      ...(edges && { edges }),
      ...(maxHandoffs !== undefined && { max_handoffs: maxHandoffs }),
      ...(maxConcurrent !== undefined && { max_concurrent: maxConcurrent }),
      ...(maxAgents !== undefined && { max_agents: maxAgents }),
      ...reader.fieldTexts(),
    };
  },
  unreadLanes: ({ flow, edges, agents }, reader) =>
    !flow && !edges && !agents && !reader.isBlank("flow") ? ["flow"] : [],
  restoreLanes: (swarm, { flow, agents, edges }) => ({
    ...swarm,
    ...(flow && { flow }),
    ...(agents && { agents }),
    ...(edges && { edges }),
  }),
  write: ({ mode, flow, agents, edges, max_handoffs, max_concurrent, max_agents, separator }, print) => [
    ["type", mode],
    ["flow", flow && print(flow)],
    ["edges", edges],
    ["agents", agents],
    ["max_handoffs", max_handoffs],
    ["max_concurrent", max_concurrent],
    ["max_agents", max_agents],
    ["separator", separator === defaultSeparator ? undefined : separator],
  ],
  lanes: ({ flow }) => [["flow", flow]],
  members({ flow, agents = [], edges = [] }) {
    const flowMembers = membersOfLanes([["flow", flow]]);
    return agents.length + edges.length === 0
      ? flowMembers
      : [...new Set([...flowMembers, ...agents, ...edges.flat()])];
  },
  listedMembers: ({ agents = [] }) => agents,
  check: (swarm, { flow }) => checkSwarmMode(flow, swarm, swarm === flow.swarm ? null : swarm.name),
  content(swarm) {
    if (swarm.mode === "workflow" && swarm.flow) return { type: "flow", flow: swarm.flow };
    const members = swarmKind.members(swarm);
    const roster = rosterOf(swarm);
    const [lead, ...workers] = roster;
    if (swarm.mode === "handoff")
      return { type: "graph", members: roster, links: swarm.edges ?? [], linkType: "handoff", ranks: "distance" };
    if (swarm.mode !== "workflow")
      return {
        type: "graph",
        members: [...new Set([...roster, ...members])],
        links: lead === undefined ? [] : workers.map((worker) => [lead, worker]),
        linkType: swarm.mode === "team" ? "delegate" : "spawn",
        ranks: "distance",
      };
    if (!swarm.edges) return { type: "members", members };
    return { type: "graph", members, links: swarm.edges, linkType: "draft", ranks: "longest-path" };
  },
  // A nested swarm without a limit of its own differs from a group in what its members know.
  card: (swarm) => ({ type: "frame", detail: "", limit: describeSwarmLimit(swarm) || "own history" }),
});

/** Orbiter's `order: [b, a]` without a flow. */
const toSerial = (order: readonly string[]): Expression | undefined =>
  order.length > 0 ? serialExpression(order.map((name) => nameExpression(name))) : undefined;

/** Orbiter's `order` next to a flow: all of them are members, and the first one of the flow starts. */
function withStartFirst(flow: Expression | undefined, order: readonly string[]): string[] | undefined {
  if (!flow || order.length === 0) return undefined;
  const [start = ""] = sourcesOf(flow).toSorted(compareCodePoints);
  return [...new Set([start, ...order])];
}
