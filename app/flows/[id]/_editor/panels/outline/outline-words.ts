import type { Problem } from "@/lib/core/flow/problem";
import type { EdgeType } from "@/lib/core/layout/arrange-flow";
import type { Joins, OutlineItem } from "@/lib/core/layout/outline";
import { describeLane } from "../../canvas/describe-place";
import { kindOf } from "../../canvas/node-labels";

const joinWords: Record<Joins, string> = {
  serial: "in series",
  parallel: "in parallel",
  lanes: "one lane of them",
  members: "as members",
};

const linkWords: Record<EdgeType, string> = {
  flow: "then",
  draft: "then",
  handoff: "may hand over to",
  delegate: "may call",
};

/** How the children of a row stand, in words; empty where nothing stands beside them. */
export const sayJoins = ({ type, joins, held }: OutlineItem): string =>
  joins === null || type === "waiting" || type === "notes" || held < 2 ? "" : joinWords[joins];

/** What a row is called: the name of a node, or words for what has none. */
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

/** What kind of thing a row is, for people who cannot see its icon. */
function kindWord(item: OutlineItem): string {
  if (item.node) return kindOf(item.node);
  if (item.type === "root") return "Flow";
  if (item.type === "lane") return "Lane";
  if (item.type === "note") return "Note:";
  return item.type === "link" ? "Link" : "";
}

/** `Agent analyst`, `Parallel group review, in parallel`: the name of a row. */
export function nameRow(item: OutlineItem): string {
  const name = [kindWord(item), titleOf(item)].filter(Boolean).join(" ");
  const joins = item.type === "list" ? "" : sayJoins(item);
  return joins === "" ? name : `${name}, ${joins}`;
}

export interface ProblemCount {
  errors: number;
  warnings: number;
}

const none: ProblemCount = { errors: 0, warnings: 0 };
const counts = new WeakMap<readonly Problem[], Map<string, ProblemCount>>();

/** How many problems a node has. Counted once for each list of problems. */
export function countProblems(problems: readonly Problem[], key: string): ProblemCount {
  const known = counts.get(problems) ?? new Map<string, ProblemCount>();
  if (!counts.has(problems))
    for (const { severity, nodes } of problems)
      for (const node of nodes ?? []) {
        const { errors, warnings } = known.get(node) ?? none;
        known.set(node, {
          errors: errors + Number(severity === "error"),
          warnings: warnings + Number(severity === "warning"),
        });
      }
  counts.set(problems, known);
  return known.get(key) ?? none;
}

/** `1 error`, `2 warnings`, or nothing. */
export function sayProblems({ errors, warnings }: ProblemCount): string {
  const say = (count: number, word: string): string => (count === 0 ? "" : `${count} ${word}${count === 1 ? "" : "s"}`);
  return [say(errors, "error"), say(warnings, "warning")].filter(Boolean).join(", ");
}
