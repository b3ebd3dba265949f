import * as z from "zod/mini";
import { keyNames, keyOfPath, nodeKey } from "../../flow/node-key";
import { orchestrateTools } from "../../kinds/engine-tools";
import { type RunNodeKind, runNodeKinds } from "../events/events";
import { isTerminal, type RunStatus } from "../events/run-status";
import { readSpawnedAgent, type SpawnedAgentName, toSpawnedAgentPath } from "../events/spawned-agent-id";
import type { NamedPlanNode, PlanNode, PlanNodeOf } from "./plan-node";

/** A node that has not begun, and that begins unless something before it fails. */
export interface PlannedNode {
  path: string;
  kind: RunNodeKind;
  name: string;
  status: "INIT";
}

/** What is known of a node that has begun. */
export interface BegunNode {
  id: number;
  parent?: number | undefined;
  path: string;
  kind: RunNodeKind;
  name: string;
  status: RunStatus;
  output: { text: string };
  metadata: Readonly<Record<string, unknown>>;
}

const plannedCallsSchema = z.array(z.object({ name: z.string() }));

/** The nodes of a run that has not ended as far as its plan has them, given those that have begun, in order of starting. */
export class PlannedNodes {
  readonly #root: PlanNodeOf<"swarm">;
  readonly #statuses = new Map<string, RunStatus>();
  readonly #open = new Map<number, BegunNode>();
  /** By agent: its newest model call. */
  readonly #lastCalls = new Map<number, BegunNode>();
  /** By lead: the ids and names of the agents that it spawned. */
  readonly #spawned = new Map<number, SpawnedAgentName[]>();
  readonly #agentIds = new Map<string, number>();
  /** By plan node, which many places may share: the named ones in it, by name. */
  readonly #members = new Map<PlanNode, ReadonlyMap<string, NamedPlanNode>>();

  constructor(root: PlanNodeOf<"swarm">) {
    this.#root = root;
  }

  /** Takes the next node that has begun. */
  add(node: BegunNode): void {
    this.#statuses.set(toStepKey(node.path, node.kind), node.status);
    if (!isTerminal(node.status)) this.#open.set(node.id, node);
    if (node.kind === "agent") this.#agentIds.set(node.path, node.id);
    if (node.parent === undefined) return;
    if (node.kind === "llm_call") this.#lastCalls.set(node.parent, node);
    if (node.kind === "tool_call" && node.name === orchestrateTools[0] && node.status === "SUCCESS") {
      const agent = readSpawnedAgent(node.output.text);
      if (agent) this.#spawned.set(node.parent, [...(this.#spawned.get(node.parent) ?? []), agent]);
    }
  }

  /** In the order of the flow, container by container. What a condition or a model decides is planned once it is decided. */
  *list(): Generator<PlannedNode> {
    if (this.#statuses.size === 0) {
      yield { path: "/", kind: "swarm", name: this.#root.name, status: "INIT" };
      yield* this.#toBegin(this.#root.body, "");
    }
    for (const node of this.#open.values()) {
      if (node.path === "/") yield* this.#inside(this.#root, node, "");
      else {
        const planNode = this.#find(node.path);
        if (planNode) yield* this.#inside(planNode, node, node.path);
      }
    }
  }

  #find(path: string): NamedPlanNode | undefined {
    let found: NamedPlanNode | undefined = this.#root;
    for (const name of keyNames(keyOfPath(path))) found = found && this.#membersOf(found).get(name);
    return found;
  }

  #membersOf(planNode: NamedPlanNode): ReadonlyMap<string, NamedPlanNode> {
    const members = this.#members.get(planNode) ?? new Map(listNamed(planNode).map((member) => [member.name, member]));
    this.#members.set(planNode, members);
    return members;
  }

  /** What is planned inside a node that has begun and has not ended. */
  *#inside(planNode: NamedPlanNode, node: BegunNode, path: string): Generator<PlannedNode> {
    switch (planNode.type) {
      case "agent":
        yield* this.#callsOf(node);
        break;
      case "branch": {
        const side = node.metadata.taken === "if_true" ? planNode.ifTrue : planNode.ifFalse;
        if (side && node.metadata.taken !== undefined) yield* this.#toBegin(side, path);
        break;
      }
      case "router": {
        const lane = planNode.lanes.find(({ body }) => body && this.#hasBegun(body, path));
        if (lane?.body) yield* this.#toBegin(lane.body, path);
        break;
      }
      case "loop":
        if (node.kind === "round") yield* this.#toBegin(planNode.body, path);
        break;
      case "group":
      case "swarm":
        yield* this.#toBegin(planNode.body, path);
        if (planNode.body.type === "orchestrate") yield* this.#spawnedIn(planNode.body, path);
        break;
      default:
    }
  }

  /** What has not begun of it at a position, up to the first member that did not succeed. */
  *#toBegin(planNode: PlanNode, prefix: string): Generator<PlannedNode, boolean> {
    switch (planNode.type) {
      case "serial":
        for (const member of planNode.members) if (!(yield* this.#toBegin(member, prefix))) return false;
        return true;
      case "parallel": {
        let goesOn = true;
        for (const member of planNode.members)
          if (!(yield* this.#toBegin(member, prefix))) goesOn = planNode.keepGoing && goesOn;
        return goesOn;
      }
      case "handoff": {
        const start = planNode.members.get(planNode.start);
        return start ? yield* this.#toBegin(start.planNode, prefix) : true;
      }
      case "team":
      case "orchestrate":
        return yield* this.#toBegin(planNode.lead, prefix);
      default:
        return yield* this.#namedToBegin(planNode, prefix);
    }
  }

  *#namedToBegin(planNode: NamedPlanNode, prefix: string): Generator<PlannedNode, boolean> {
    const path = nodeKey(prefix, planNode.name);
    const status = this.#statuses.get(toStepKey(path, planNode.type));
    if (status !== undefined) return !isTerminal(status) || status === "SUCCESS";
    const kind = runNodeKinds.find((candidate) => candidate === planNode.type);
    if (kind) yield { path, kind, name: planNode.name, status: "INIT" };
    if (planNode.type === "group" || planNode.type === "swarm") yield* this.#toBegin(planNode.body, path);
    return true;
  }

  #hasBegun(planNode: PlanNode, prefix: string): boolean {
    if ("name" in planNode) return this.#statuses.has(toStepKey(nodeKey(prefix, planNode.name), planNode.type));
    return partsOf(planNode).some((part) => part !== null && this.#hasBegun(part, prefix));
  }

  /** The tool calls of the newest turn: where they run one after another, most of them wait. */
  *#callsOf({ id }: BegunNode): Generator<PlannedNode> {
    const turn = this.#lastCalls.get(id);
    if (turn?.status !== "SUCCESS") return;
    const path = turn.path.replace(/#fallback$/, "");
    const { data: calls = [] } = plannedCallsSchema.safeParse(turn.metadata.toolCalls);
    for (const [index, { name }] of calls.entries()) {
      const call = { path: `${path}#tool-${index + 1}`, kind: "tool_call", name, status: "INIT" } as const;
      if (!this.#statuses.has(call.path)) yield call;
    }
  }

  /** Background agents that wait for their turn. None starts after the lead failed. */
  *#spawnedIn({ lead, workers }: PlanNodeOf<"orchestrate">, prefix: string): Generator<PlannedNode> {
    const leadPath = nodeKey(prefix, lead.name);
    const leadStatus = this.#statuses.get(leadPath);
    if (leadStatus !== undefined && isTerminal(leadStatus) && leadStatus !== "SUCCESS") return;
    for (const spawned of this.#spawnedBy(leadPath)) {
      const { agent } = spawned;
      const type = workers.find(({ name }) => name === agent)?.planNode.type;
      const kind = runNodeKinds.find((candidate) => candidate === type) ?? "agent";
      const path = toSpawnedAgentPath(spawned);
      if (path !== null && !this.#statuses.has(path)) yield { path, kind, name: agent, status: "INIT" };
    }
  }

  #spawnedBy(leadPath: string): readonly SpawnedAgentName[] {
    return this.#spawned.get(this.#agentIds.get(leadPath) ?? 0) ?? [];
  }
}

/** Old runs have a loop and a round at the same path. */
const toStepKey = (path: string, kind: string): string => (kind === "round" ? `round ${path}` : path);

/** The named nodes directly in a plan node. */
const listNamed = (planNode: PlanNode): NamedPlanNode[] =>
  partsOf(planNode).flatMap((part) => (part === null ? [] : "name" in part ? [part] : listNamed(part)));

/** The plan nodes that a plan node is made of. */
function partsOf(planNode: PlanNode): readonly (PlanNode | null)[] {
  switch (planNode.type) {
    case "serial":
    case "parallel":
      return planNode.members;
    case "handoff":
      return Array.from(planNode.members.values(), (member) => member.planNode);
    case "team":
    case "orchestrate":
      return [planNode.lead, ...planNode.workers.map((worker) => worker.planNode)];
    case "group":
    case "swarm":
    case "loop":
      return [planNode.body];
    case "branch":
      return [planNode.ifTrue, planNode.ifFalse];
    case "router":
      return planNode.lanes.map(({ body }) => body);
    default:
      return [];
  }
}
