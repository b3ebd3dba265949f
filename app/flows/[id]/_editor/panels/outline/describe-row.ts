import { describeKind } from "@/app/_kinds/registry";
import { countNouns } from "@/lib/core/flow/format-count";
import type { Problem } from "@/lib/core/flow/problem";
import type { EdgeType } from "@/lib/core/layout/arrange-flow";
import type { Joins, OutlineItem } from "@/lib/core/layout/outline";
import { describeLane } from "@/lib/core/layout/scene/describe-lane";

const joinWords: Record<Joins, string> = {
  serial: "in series",
  parallel: "in parallel",
  lanes: "as alternative lanes",
  members: "as members",
};

const linkWords: Record<EdgeType, string> = {
  flow: "then",
  draft: "then",
  handoff: "may hand over to",
  delegate: "may call",
  spawn: "may start",
};

export const describeJoins = ({ type, joins, childCount }: OutlineItem): string =>
  joins === null || type === "waiting" || type === "notes" || childCount < 2 ? "" : joinWords[joins];

export function titleOf(item: OutlineItem): string {
  switch (item.type) {
    case "root":
    case "node":
    case "note":
      return item.label;
    case "list":
      return item.joins === "parallel" ? "In parallel" : "In series";
    case "lane":
      return describeLane(item.label) || "Each round";
    case "waiting":
      return "Not in the flow yet";
    case "notes":
      return "Notes";
    case "link":
      return `${linkWords[item.edge ?? "flow"]} ${item.label}`;
  }
}

function kindWord(item: OutlineItem): string {
  if (item.node) return describeKind(item.node).label;
  if (item.type === "root") return "Flow";
  if (item.type === "lane") return "Lane";
  if (item.type === "note") return "Note:";
  return item.type === "link" ? "Link" : "";
}

export function nameRow(item: OutlineItem): string {
  const name = [kindWord(item), titleOf(item)].filter(Boolean).join(" ");
  const joins = item.type === "list" ? "" : describeJoins(item);
  return joins === "" ? name : `${name}, ${joins}`;
}

export interface NodeProblemCount {
  errors: number;
  warnings: number;
}

export const noProblems: NodeProblemCount = { errors: 0, warnings: 0 };

export function countNodeProblems(problems: readonly Problem[]): ReadonlyMap<string, NodeProblemCount> {
  const counts = new Map<string, NodeProblemCount>();
  for (const { severity, nodes } of problems)
    for (const node of nodes ?? []) {
      const { errors, warnings } = counts.get(node) ?? noProblems;
      counts.set(node, {
        errors: errors + Number(severity === "error"),
        warnings: warnings + Number(severity === "warning"),
      });
    }
  return counts;
}

export const describeProblemCount = ({ errors, warnings }: NodeProblemCount): string =>
  [errors > 0 && countNouns(errors, "error"), warnings > 0 && countNouns(warnings, "warning")]
    .filter(Boolean)
    .join(", ");
