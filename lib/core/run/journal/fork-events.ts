import { keyOfPath } from "../../flow/node-key";
import { orchestrateTools } from "../../kinds/engine-tools";
import type { RunEvent, RunEventOf } from "../events/events";
import { findSpawnedAgentId, readSpawnedId } from "../events/spawned-agent-id";
import { noUsage } from "../events/usage";
import { type FlowChange, findAlteredNodes } from "./find-altered-nodes";
import { approvalAgainCode } from "./journal";

/** Where a fork leaves its parent. */
export interface ForkPoint {
  /** Id of the first node that is done again; null: every node that did not succeed. */
  node: number | null;
  /** The time of the fork, in milliseconds since the epoch: what is reused takes no time in it. */
  now: number;
  /** The output that the node gets instead of being done again. */
  output?: string | undefined;
  /**
   * The fork differs from what was approved in its parent, by an edit, by its flow or by who starts it. Approvals hold for
   * exactly what was shown: the last one of each gate is requested again, with the text that was approved.
   */
  isChanged?: boolean | undefined;
  /** Of a fork that runs another flow than its parent: what that has no such place for is left out. */
  flows?: FlowChange | undefined;
}

/** The events that a fork begins with. */
export interface ForkStart {
  events: RunEvent[];
  /** Ids of reused nodes in the parent, by their ids in the fork. */
  sources: ReadonlyMap<number, number>;
}

interface ParentNode {
  start: RunEventOf<"node.started">;
  end: RunEventOf<"node.finished"> | undefined;
  /** The last answer of a person, with its question. */
  answer: RunEventOf<"answer.given"> | undefined;
  parent: ParentNode | undefined;
  /** Of a background agent: the call of its lead that spawned it; null: it is not known. Missing for all others. */
  spawnedBy?: ParentNode | null;
  /** `reused`: with its end. `open`: it is done again around reused nodes. Null: it is done again from its beginning. */
  use: "reused" | "open" | null;
}

/**
 * The beginning of a run that continues another one from a node: nodes that do not depend on that node are taken over as
 * finished, without usage; nodes around them are open. An engine that gets it as its journal does the rest. `parentEvents`
 * are all of the parent, in order.
 */
export function forkEvents(parentEvents: readonly RunEvent[], point: ForkPoint): ForkStart {
  const nodes = readNodes(parentEvents);
  markUses(nodes, point);
  const forkIds = new Map<number, number>();
  const events: RunEvent[] = [];
  for (const event of parentEvents) {
    for (const taken of takeEvents(event, nodes, point)) {
      if (taken.type === "node.started") forkIds.set(taken.id, forkIds.size + 1);
      events.push({ ...renumber(taken, forkIds), seq: events.length + 1, at: point.now });
    }
  }
  const reused = [...forkIds].filter(([id]) => nodes.get(id)?.use === "reused");
  return { events, sources: new Map(reused.map(([id, forkId]) => [forkId, id])) };
}

function readNodes(events: readonly RunEvent[]): Map<number, ParentNode> {
  const nodes = new Map<number, ParentNode>();
  for (const event of events) {
    if (event.type === "node.started") {
      const parent = event.parent === undefined ? undefined : nodes.get(event.parent);
      nodes.set(event.id, { start: event, end: undefined, answer: undefined, parent, use: null });
    } else if (event.type === "node.finished" || event.type === "answer.given") {
      const node = nodes.get(event.id);
      if (node && event.type === "node.finished") node.end = event;
      else if (node && event.type === "answer.given") node.answer = event;
    }
  }
  return nodes;
}

function markUses(nodes: ReadonlyMap<number, ParentNode>, { node: forkId, output, isChanged, flows }: ForkPoint): void {
  linkSpawnedNodes(nodes);
  const altered = flows ? findAlteredNodes(nodes.values(), flows) : new Set();
  const forked = forkId === null ? undefined : nodes.get(forkId);
  const around = new Set(ancestorsOf(forked));
  const succeededPaths = new Set<string>();
  for (const { start, end } of nodes.values()) if (end?.status === "SUCCESS") succeededPaths.add(start.path);
  const respawned = new Set<ParentNode>();
  const isRespawned = (node: ParentNode): boolean => {
    const isCallRepeated = node.spawnedBy !== undefined && node.spawnedBy?.use !== "reused";
    if (isCallRepeated || (node.parent && respawned.has(node.parent))) respawned.add(node);
    return respawned.has(node);
  };
  const isReused = (node: ParentNode): boolean => {
    if (altered.has(node)) return false;
    if (node === forked) return output !== undefined;
    if (around.has(node) || ancestorsOf(node).includes(forked)) return false;
    // Children come after their parents, and spawned agents after their calls, so that this is decided.
    if (isRespawned(node)) return false;
    if (forked && dependsOnSpawned(node, forked)) return false;
    if (node.parent?.use === "reused") return true;
    return node.start.seq < (forked?.end?.seq ?? Number.POSITIVE_INFINITY) && hasResult(node, succeededPaths);
  };
  for (const node of nodes.values()) if (isReused(node)) node.use = "reused";
  if (isChanged) for (const gate of lastApprovals(nodes)) reopen(gate);
  for (const node of nodes.values())
    if (node.use === "reused") for (const above of ancestorsOf(node)) if (above) above.use ??= "open";
}

/** Finds the call that spawned each background agent, which is a child of the swarm and not of that call. */
function linkSpawnedNodes(nodes: ReadonlyMap<number, ParentNode>): void {
  const calls = new Map<string, ParentNode>();
  for (const node of nodes.values()) {
    const id = node.start.name === spawnToolName && node.end ? readSpawnedId(node.end.output.text) : null;
    if (id !== null) calls.set(id, node);
  }
  for (const node of nodes.values()) {
    const id = findSpawnedAgentId(node.start.path);
    // Only the agent itself: calls inside it have longer paths.
    if (id !== null) node.spawnedBy = calls.get(id) ?? null;
  }
}

const [spawnToolName, ...collectorNames] = orchestrateTools;
const collectors: ReadonlySet<string> = new Set(collectorNames);

/**
 * Whether the node is a lead, or a call of it, that was told what a background agent produced which the forked node leads
 * to. What the lead did after that call started later than the forked node ended.
 */
function dependsOnSpawned(node: ParentNode, forked: ParentNode): boolean {
  const { start, end, parent: lead } = node;
  const endSeq = end?.seq ?? Number.POSITIVE_INFINITY;
  const isCollector = start.kind === "tool_call" && collectors.has(start.name);
  if (isCollector && forked.parent === lead) return endSeq > forked.start.seq;
  return [forked, ...ancestorsOf(forked)].some((above) => {
    const leadOfAbove = above?.spawnedBy?.parent;
    const isTold = leadOfAbove === node || (isCollector && leadOfAbove === lead);
    return leadOfAbove !== undefined && isTold && endSeq > (above?.end?.seq ?? Number.POSITIVE_INFINITY);
  });
}

/** Of each gate that was approved the last time that it was. */
function lastApprovals(nodes: ReadonlyMap<number, ParentNode>): Iterable<ParentNode> {
  const approvals = [...nodes.values()].filter(({ start, use }) => start.kind === "approval" && use === "reused");
  return new Map(approvals.map((node) => [keyOfPath(node.start.path), node])).values();
}

/** The node and those around it are done again, around what is reused inside them. */
function reopen(node: ParentNode): void {
  for (const opened of [node, ...ancestorsOf(node)]) if (opened) opened.use = "open";
}

/** From the parent upwards. */
function ancestorsOf(node: ParentNode | undefined): (ParentNode | undefined)[] {
  const ancestors: ParentNode[] = [];
  for (let above = node?.parent; above; above = above.parent) ancestors.push(above);
  return ancestors;
}

/** Whether the run went on with how the node ended: a model sees the failure of a tool, and a fallback replaces a failed call. */
function hasResult({ start, end }: ParentNode, succeededPaths: ReadonlySet<string>): boolean {
  if (!end || end.status === "CANCELLED") return false;
  if (end.status === "SUCCESS" || start.kind === "tool_call") return true;
  return start.kind === "llm_call" && succeededPaths.has(`${start.path}#fallback`);
}

/** The event as the fork has it, with the ids of the parent, and a note that follows it; none where the fork has none. */
function takeEvents(event: RunEvent, nodes: ReadonlyMap<number, ParentNode>, point: ForkPoint): RunEvent[] {
  const { node: forkId, output } = point;
  if (event.type === "run.started") return [event];
  const node = "id" in event ? nodes.get(event.id) : undefined;
  if (!node?.use || event.type === "text.appended" || event.type === "reasoning.appended") return [];
  if (node.use === "open") return takeOpenEvent(event, node, nodes.get(forkId ?? 0), point);
  if (event.type !== "node.finished") return [event];
  const { metadata, ...end } = { ...event, usage: noUsage };
  if (event.id !== forkId || output === undefined) {
    const ran = [node.start.at, event.at];
    return [{ ...end, metadata: { ran, ...metadata, reused: true } }];
  }
  const { error: _, ...rest } = end;
  return [{ ...rest, status: "SUCCESS", output: { text: output }, metadata: { edited: true } }];
}

/** What a node that is done again keeps: its messages, its decision, and the approval of what is reused inside it. */
function takeOpenEvent(
  event: RunEvent,
  { start, answer }: ParentNode,
  forked: ParentNode | undefined,
  { isChanged }: ForkPoint,
): RunEvent[] {
  if (event.type === "node.started") return [event];
  if (event.seq >= (forked?.start.seq ?? Number.POSITIVE_INFINITY)) return [];
  switch (event.type) {
    case "message.injected":
    case "decision.made":
      return [event];
    case "answer.requested":
      return isGate(start) && answer ? [event] : [];
    case "answer.given":
      return isGate(start) ? [event, ...(isChanged && event === answer ? [toWithdrawal(event)] : [])] : [];
    default:
      return [];
  }
}

const isGate = ({ kind }: RunEventOf<"node.started">): boolean => kind === "approval" || kind === "tool_call";

function toWithdrawal({ id, seq, at, answer }: RunEventOf<"answer.given">): RunEvent {
  const message = `The approval of ${answer.by} does not hold for this run: it is requested again.`;
  return { type: "node.noted", id, seq, at, code: approvalAgainCode, message };
}

function renumber(event: RunEvent, forkIds: ReadonlyMap<number, number>): RunEvent {
  if (!("id" in event)) return event;
  const id = forkIds.get(event.id) ?? event.id;
  // Numbers of stored messages are those of the parent.
  if (event.type === "message.injected") return { ...event, id, message: undefined };
  if (event.type !== "node.started" || event.parent === undefined) return { ...event, id };
  return { ...event, id, parent: forkIds.get(event.parent) ?? event.parent };
}
