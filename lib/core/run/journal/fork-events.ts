import type { RunEvent, RunEventOf } from "../events/events";
import { noUsage } from "../events/usage";

/** Where a fork leaves its parent. */
export interface ForkPoint {
  /** Id of the first node that is done again; null: every node that did not succeed. */
  node: number | null;
  /** The time of the fork, in milliseconds since the epoch: what is reused takes no time in it. */
  now: number;
  /** The output that the node gets instead of being done again. */
  output?: string | undefined;
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
  parent: ParentNode | undefined;
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
    const taken = takeEvent(event, nodes, point);
    if (!taken) continue;
    if (taken.type === "node.started") forkIds.set(taken.id, forkIds.size + 1);
    events.push({ ...renumber(taken, forkIds), seq: events.length + 1, at: point.now });
  }
  const reused = [...forkIds].filter(([id]) => nodes.get(id)?.use === "reused");
  return { events, sources: new Map(reused.map(([id, forkId]) => [forkId, id])) };
}

function readNodes(events: readonly RunEvent[]): Map<number, ParentNode> {
  const nodes = new Map<number, ParentNode>();
  for (const event of events) {
    if (event.type === "node.started") {
      const parent = event.parent === undefined ? undefined : nodes.get(event.parent);
      nodes.set(event.id, { start: event, end: undefined, parent, use: null });
    } else if (event.type === "node.finished") {
      const node = nodes.get(event.id);
      if (node) node.end = event;
    }
  }
  return nodes;
}

function markUses(nodes: ReadonlyMap<number, ParentNode>, { node: forkId, output }: ForkPoint): void {
  const forked = forkId === null ? undefined : nodes.get(forkId);
  const around = new Set(ancestorsOf(forked));
  const succeededPaths = new Set<string>();
  for (const { start, end } of nodes.values()) if (end?.status === "SUCCESS") succeededPaths.add(start.path);
  const isReused = (node: ParentNode): boolean => {
    if (node === forked) return output !== undefined;
    if (around.has(node) || ancestorsOf(node).includes(forked)) return false;
    // Children come after their parents, so that this is decided.
    if (node.parent?.use === "reused") return true;
    return node.start.seq < (forked?.end?.seq ?? Number.POSITIVE_INFINITY) && hasResult(node, succeededPaths);
  };
  for (const node of nodes.values()) if (isReused(node)) node.use = "reused";
  for (const node of nodes.values())
    if (node.use === "reused") for (const above of ancestorsOf(node)) if (above) above.use ??= "open";
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

/** The event as the fork has it, with the ids of the parent; null: it has none. */
function takeEvent(
  event: RunEvent,
  nodes: ReadonlyMap<number, ParentNode>,
  { node: forkId, output }: ForkPoint,
): RunEvent | null {
  if (event.type === "run.started") return event;
  const node = "id" in event ? nodes.get(event.id) : undefined;
  if (!node?.use || event.type === "text.appended" || event.type === "reasoning.appended") return null;
  if (node.use === "open") {
    const isBefore = event.seq < (nodes.get(forkId ?? 0)?.start.seq ?? Number.POSITIVE_INFINITY);
    const isTaken = event.type === "message.injected" || event.type === "decision.made";
    return event.type === "node.started" || (isTaken && isBefore) ? event : null;
  }
  if (event.type !== "node.finished") return event;
  const { metadata, ...end } = { ...event, usage: noUsage };
  if (event.id !== forkId || output === undefined) return { ...end, metadata: { ...metadata, reused: true } };
  const { error: _, ...rest } = end;
  return { ...rest, status: "SUCCESS", output: { text: output }, metadata: { edited: true } };
}

function renumber(event: RunEvent, forkIds: ReadonlyMap<number, number>): RunEvent {
  if (!("id" in event)) return event;
  const id = forkIds.get(event.id) ?? event.id;
  // Numbers of stored messages are those of the parent.
  if (event.type === "message.injected") return { ...event, id, message: undefined };
  if (event.type !== "node.started" || event.parent === undefined) return { ...event, id };
  return { ...event, id, parent: forkIds.get(event.parent) ?? event.parent };
}
