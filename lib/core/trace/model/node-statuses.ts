import { keyOfPath, type NodeKey, nodeKey } from "../../flow/node-key";
import type { RunStatus } from "../../run/events/events";
import { isDeclaredKind } from "../../run/events/run-node-traits";
import { StringTable } from "./string-table";
import type { TraceView } from "./trace-view";

/** How one node of the canvas is doing in the run that is shown. */
export interface NodeStatus {
  status: RunStatus;
  simulated: boolean;
  /** How often it ran; for a link, how often it was used. */
  runs: number;
}

/** By node key; handoffs by the key of their link. Unchanged ones keep their object. */
export type NodeStatuses = ReadonlyMap<NodeKey, NodeStatus>;

/** The node keys of a trace's spans, found once for each. */
export class SpanKeys {
  readonly #keys = new StringTable();
  #numbers: number[] = [];

  /** The numbers of the keys by span; -1: it is not on the canvas, or its link is not known yet. */
  of(trace: TraceView): readonly number[] {
    for (let span = this.#numbers.length; span < trace.length; span++) {
      const kind = trace.kindOf(span);
      this.#numbers.push(isDeclaredKind(kind) ? this.#keys.numberOf(keyOfPath(trace.pathOf(span))) : -1);
    }
    for (const [span, link] of trace.links)
      if (this.#numbers[span] === -1) this.#numbers[span] = this.#keys.numberOf(linkKey(trace.pathOf(span), link));
    return this.#numbers;
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
  for (let span = 0; span < trace.length; span++) {
    const number = numbers[span] ?? -1;
    const status = number < 0 ? null : moment === null ? trace.statusOf(span) : trace.statusAt(span, moment);
    if (status === null) continue;
    const key = keys.at(number);
    next.set(key, { status, simulated: trace.isSimulated(span), runs: (next.get(key)?.runs ?? 0) + 1 });
  }
  return takeOver(next, previous);
}

/** `next` with the equal objects of `previous`; `previous` itself when all are equal. */
function takeOver(next: Map<NodeKey, NodeStatus>, previous: NodeStatuses): NodeStatuses {
  let same = next.size === previous.size;
  for (const [key, { status, simulated, runs }] of next) {
    const previousStatus = previous.get(key);
    if (previousStatus?.status === status && previousStatus.simulated === simulated && previousStatus.runs === runs)
      next.set(key, previousStatus);
    else same = false;
  }
  return same ? previous : next;
}

/** The key of the link that a handoff used. */
function linkKey(path: string, link: readonly [from: string, to: string]): NodeKey {
  const swarm = path.startsWith("/#") ? "" : keyOfPath(path);
  return `${nodeKey(swarm, link[0])}//${nodeKey(swarm, link[1])}`;
}
