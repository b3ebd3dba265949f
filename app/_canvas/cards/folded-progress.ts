import { statusStyles } from "@/app/_ui/badges/status-badge";
import { formatCount } from "@/lib/core/flow/format-count";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { ShownStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";

/** What a folded card shows of a run: the agents that have ended, and the worst status in it. */
interface FoldedProgress {
  done: number;
  total: number;
  worst: ShownStatus;
}

interface FoldedKeys {
  key: NodeKey;
  agents: readonly { key: NodeKey }[];
}

/** The most urgent first. */
const urgency: readonly ShownStatus[] = [
  "FAILED",
  "TIMEOUT",
  "UNREADABLE",
  "WAITING",
  "RUNNING",
  "PAUSED",
  "INTERRUPTED",
  "CANCELLED",
  "INIT",
  "SUCCESS",
];
const endedStatuses: ReadonlySet<ShownStatus> = new Set([
  "SUCCESS",
  "FAILED",
  "TIMEOUT",
  "CANCELLED",
  "INTERRUPTED",
  "UNREADABLE",
]);

/** A text that changes only with the progress; empty while the run has not reached the card. */
export function summarizeStatuses(statuses: NodeStatuses, { key, agents }: FoldedKeys): string {
  const all = [key, ...agents.map((agent) => agent.key)].flatMap((member) => statuses.get(member)?.status ?? []);
  if (all.length === 0) return "";
  const done = agents.filter((agent) => endedStatuses.has(statuses.get(agent.key)?.status ?? "INIT")).length;
  return `${done} ${agents.length} ${urgency.findIndex((status) => all.includes(status))}`;
}

export function readFoldedProgress(summary: string): FoldedProgress | null {
  if (summary === "") return null;
  const [done = 0, total = 0, rank = 0] = summary.split(" ").map(Number);
  return { done, total, worst: urgency[rank] ?? "INIT" };
}

export const describeFolded = ({ done, total, worst }: FoldedProgress): string =>
  `${statusStyles[worst].word}, ${formatCount(done)} of ${formatCount(total)} agents ended`;
