import { describeKind } from "@/app/_kinds/registry";
import { formatCount } from "@/lib/core/flow/format-count";
import { findNote, nameNote } from "@/lib/core/flow/note";
import { type Outline, type OutlineItem, outlineFlow } from "@/lib/core/layout/outline";
import { describeLane } from "@/lib/core/layout/scene/describe-lane";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { countNodeProblems, describeProblemCount, noProblems } from "../../panels/outline/describe-row";
import type { EditorState } from "../../state/editor/editor";

export function describeSelection(
  state: Pick<EditorState, "flow" | "layout" | "arrangement" | "problems" | "selection" | "edge">,
): string {
  const { flow, layout, arrangement, problems, selection, edge } = state;
  const link = edge === null ? undefined : arrangement.edges.find(({ key }) => key === edge);
  if (link) return `Link from ${link.fromName} to ${link.toName}. Enter inserts an agent, Delete removes it`;
  const outline = outlineFlow(flow, layout.notes);
  const key = selection.at(-1);
  const item = key === undefined ? undefined : outline.items[outline.indexes.get(key) ?? -1];
  const note = item && findNote(layout.notes, item.id);
  if (note) {
    const name = nameNote(note);
    return selection.length > 1
      ? `${formatCount(selection.length)} selected, last ${name}`
      : `${name}, ${formatCount(item.position)} of ${formatCount(item.size)}`;
  }
  if (!item?.node) return selection.length === 0 ? `Nothing selected, flow ${flow.name}` : "";
  const name = `${describeKind(item.node).label} ${item.label}`;
  if (selection.length > 1) return `${formatCount(selection.length)} selected, last ${name}`;
  const position = `${formatCount(item.position)} of ${formatCount(item.size)}`;
  const trouble = describeProblemCount(countNodeProblems(problems).get(item.node.key) ?? noProblems);
  const fold = indexNodes(arrangement).get(item.node.key)?.folded ? "folded, Space unfolds" : "";
  return [name, fold, position, ...sayPlace(outline, item), trouble].filter(Boolean).join(", ");
}

function sayPlace({ items }: Outline, { parent }: OutlineItem): string[] {
  const holder = items[parent];
  if (!holder) return [];
  const joins = holder.joins === "parallel" ? "in parallel" : holder.joins === "serial" ? "in series" : "";
  if (holder.type === "waiting") return ["not in the flow yet"];
  if (holder.type === "node") return [`in ${holder.label}`, joins];
  if (holder.type !== "lane") return [joins];
  const lane = describeLane(holder.label);
  return [`in ${items[holder.parent]?.label}`, lane === "" ? "" : `lane ${lane}`];
}
