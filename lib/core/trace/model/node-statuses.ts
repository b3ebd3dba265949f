import { keyOfPath, type NodeKey, nodeKey } from "../../flow/node-key";
import { isAgentKind, isDeclaredKind } from "../../run/events/run-node-traits";
import { isTerminal, type RunStatus, type ShownStatus } from "../../run/events/run-status";
import { findSpawnedAgentId } from "../../run/events/spawned-agent-id";
import { addCosts, type Cost, hasUnknownCost, noUsage, toCost, type Usage } from "../../run/events/usage";
import { toShownStatus } from "./shown-status";
import { StringTable } from "./string-table";
import type { TraceView } from "./trace-view";

/** How one node of the canvas is doing in the run that is shown. */
export interface NodeStatus extends Cost {
  status: ShownStatus;
  simulated: boolean;
  /** How often it ran; for a link, how often it was used. */
  runs: number;
  /** How long its runs took that have ended, or until the moment that is shown; in milliseconds. */
  elapsedMs: number;
  /** When the run began that is still going on, in milliseconds since the epoch; null: none is. */
  runningSince: number | null;
  /** Of all its runs; of a frame with everything in it, of an agent its own calls. 0 while nothing was counted. */
  tokens: number;
  /** How many copies of itself the agent spawned, which have no node of their own; missing: none. */
  spawned?: number;
}

/** By node key; handoffs by the key of their link. Unchanged ones keep their object. */
export type NodeStatuses = ReadonlyMap<NodeKey, NodeStatus>;

/** The node keys of a trace's spans, found once for each. */
export class SpanKeys {
  readonly #keys = new StringTable();
  #numbers: number[] = [];
  readonly #spawned = new Set<number>();

  /** The numbers of the keys by span; -1: it is not on the canvas, or its link is not known yet. */
  of(trace: TraceView): readonly number[] {
    for (let span = this.#numbers.length; span < trace.length; span++) {
      const path = isDeclaredKind(trace.kindOf(span)) ? trace.pathOf(span) : null;
      this.#numbers.push(path === null ? -1 : this.#keys.numberOf(keyOfPath(path)));
      if (path !== null && findSpawnedAgentId(path) !== null) this.#spawned.add(span);
    }
    for (const [span, link] of trace.links)
      if (this.#numbers[span] === -1) this.#numbers[span] = this.#keys.numberOf(linkKey(trace.pathOf(span), link));
    return this.#numbers;
  }

  /** Whether the span is an agent that another one spawned. */
  isSpawned(span: number): boolean {
    return this.#spawned.has(span);
  }

  at(number: number): NodeKey {
    return this.#keys.at(number);
  }
}

/**
 * The statuses of the canvas nodes at a moment (null: now), with the objects of `previous` where nothing changed. A node
 * that ran several times has the status of its last run; one that had not begun has none.
 */
export function toNodeStatuses(
  trace: TraceView,
  moment: number | null,
  keys: SpanKeys,
  previous: NodeStatuses,
): NodeStatuses {
  const next = new Map<NodeKey, NodeStatus>();
  const numbers = keys.of(trace);
  const spawning = new Set<NodeKey>();
  for (let span = 0; span < trace.length; span++) {
    const number = numbers[span] ?? -1;
    const status = number < 0 ? null : moment === null ? trace.shownStatusOf(span) : trace.statusAt(span, moment);
    if (status === null) continue;
    const key = keys.at(number);
    const run = readRun(trace, span, status, moment);
    const before = next.get(key);
    const isSpawned = keys.isSpawned(span);
    next.set(key, before && isSpawned && spawning.has(key) ? addCopy(before, run) : addRun(before, run));
    if (!isSpawned) spawning.add(key);
  }
  return takeOver(next, previous);
}

/** One run of a node. A run that goes on at a moment of the past has no counts yet: when they arose is not known. */
function readRun(trace: TraceView, span: number, status: RunStatus, moment: number | null): NodeStatus {
  const start = trace.columns.start[span] ?? 0;
  const isOpen = !isTerminal(status);
  const usage = isOpen && moment !== null ? noUsage : usageOf(trace, span);
  const end = isOpen ? (moment ?? start) : trace.endOf(span, start);
  return {
    status: toShownStatus(status, trace.errors.get(span)),
    simulated: trace.isSimulated(span),
    runs: 1,
    elapsedMs: Math.max(0, end - start),
    runningSince: isOpen && moment === null ? start : null,
    tokens: usage.input + usage.output,
    ...toCost(usage.cost ?? 0, hasUnknownCost(usage)),
  };
}

/** The agents that an agent calls are drawn beside it, so that the figures of all cards add up to those of the run. */
const usageOf = (trace: TraceView, span: number): Usage =>
  isAgentKind(trace.kindOf(span)) ? trace.ownUsageOf(span) : trace.usageOf(span);

function addRun(before: NodeStatus | undefined, run: NodeStatus): NodeStatus {
  if (!before) return run;
  return {
    ...run,
    runs: before.runs + 1,
    elapsedMs: before.elapsedMs + run.elapsedMs,
    tokens: before.tokens + run.tokens,
    ...addCosts(before, run),
    ...(before.spawned !== undefined && { spawned: before.spawned }),
  };
}

/** What a spawned copy of an agent used is on the card of that agent, whose status stays its own. */
const addCopy = (before: NodeStatus, copy: NodeStatus): NodeStatus => ({
  ...before,
  tokens: before.tokens + copy.tokens,
  ...addCosts(before, copy),
  spawned: (before.spawned ?? 0) + 1,
});

/** `next` with the equal objects of `previous`; `previous` itself when all are equal. */
function takeOver(next: Map<NodeKey, NodeStatus>, previous: NodeStatuses): NodeStatuses {
  let same = next.size === previous.size;
  for (const [key, status] of next) {
    const previousStatus = previous.get(key);
    if (previousStatus && isEqual(previousStatus, status)) next.set(key, previousStatus);
    else same = false;
  }
  return same ? previous : next;
}

const isEqual = (a: NodeStatus, b: NodeStatus): boolean =>
  a.status === b.status &&
  a.simulated === b.simulated &&
  a.runs === b.runs &&
  a.elapsedMs === b.elapsedMs &&
  a.runningSince === b.runningSince &&
  a.tokens === b.tokens &&
  a.cost === b.cost &&
  a.isCostPartial === b.isCostPartial &&
  a.spawned === b.spawned;

/** The key of the link that a handoff used. */
function linkKey(path: string, link: readonly [from: string, to: string]): NodeKey {
  const swarm = path.startsWith("/#") ? "" : keyOfPath(path);
  return `${nodeKey(swarm, link[0])}//${nodeKey(swarm, link[1])}`;
}
