import { useStore } from "zustand";
import { type NodeKey, parentKey } from "@/lib/core/flow/node-key";
import type { LinkType } from "@/lib/core/layout/scene/drawn-links";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { NodeStatus, NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { useCanvasSession } from "./canvas-session";

interface StatusedLink {
  /** The key of the link. */
  id: string;
  source: NodeKey;
  target: NodeKey;
  data: { type: LinkType };
}

/** How often the run that is shown took a link. */
export function countLinkUses(statuses: NodeStatuses, { id, source, target, data: { type } }: StatusedLink): number {
  if (statuses.size === 0) return 0;
  const [from, to] = [statuses.get(source), statuses.get(target)];
  switch (type) {
    case "draft":
      return 0;
    case "handoff":
      return statuses.get(id)?.runs ?? 0;
    case "delegate":
    case "spawn":
    case "lane":
      return to?.runs ?? 0;
    case "lane-end":
      return countEnds(from);
    case "flow":
      return Math.min(countEnds(from), to?.runs ?? 0);
    case "bypass":
      return Math.max(0, countEnds(to) - (from?.runs ?? 0));
    case "back":
      return Math.max(0, (to?.runs ?? 0) - (statuses.get(parentKey(target))?.runs ?? 0));
  }
}

/** A node that ran several times has the status of its last run. */
const countEnds = (node: NodeStatus | undefined): number =>
  node === undefined ? 0 : isTerminal(node.status) ? node.runs : node.runs - 1;

/** Re-renders only when the count of this link changes. */
export const useLinkUses = (link: StatusedLink): number =>
  useStore(useCanvasSession().statuses, (statuses) => countLinkUses(statuses, link));
