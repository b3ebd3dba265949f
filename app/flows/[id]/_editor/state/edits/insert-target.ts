import { printName } from "@/lib/core/dsl/print";
import type { Edit, InsertionPoint, Scope } from "@/lib/core/flow/edit";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { declaredNames } from "@/lib/core/kinds/members";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { memberScope, outermost, toScope } from "./node-edits";

/** Where a new node goes. */
export type InsertTarget =
  /** In the selected link, otherwise after the selected nodes, otherwise at the end. */
  | { type: "selection" }
  | { type: "edge"; key: string }
  | { type: "before" | "after" | "beside"; keys: readonly NodeKey[] }
  /** At the end of a group, swarm or control. */
  | { type: "into"; key: NodeKey };

interface CanvasSelection {
  flow: Flow;
  arrangement: Arrangement;
  selection: readonly NodeKey[];
  edge: string | null;
}

/** Targets that no longer exist count as the end of the flow. */
export function toInsertEdit(canvas: CanvasSelection, fragment: string, target: InsertTarget): Edit {
  return { type: "insert-fragment", text: fragment, ...toInsertPosition(canvas, target) };
}

interface InsertPosition {
  scope: Scope;
  place: InsertionPoint;
}

const atEnd: InsertPosition = { scope: { type: "root" }, place: { type: "end" } };

function toInsertPosition(canvas: CanvasSelection, target: InsertTarget): InsertPosition {
  const { flow, arrangement, selection, edge } = canvas;
  if (target.type === "selection") {
    if (edge !== null) return toInsertPosition(canvas, { type: "edge", key: edge });
    return selection.length === 0 ? atEnd : toInsertPosition(canvas, { type: "after", keys: selection });
  }
  if (target.type === "edge") {
    const link = arrangement.edges.find(({ key }) => key === target.key);
    if (!link) return atEnd;
    const { fromName: sourceName, toName: targetName } = link;
    return {
      scope: toScope(flow, link.scope, sourceName),
      place: { type: "between", from: sourceName, to: targetName },
    };
  }
  if (target.type === "into") return { scope: toScope(flow, target.key, ""), place: { type: "end" } };
  const nodes = outermost(indexNodes(arrangement), target.keys).filter(({ placed }) => placed);
  const last = nodes.at(-1);
  if (!last) return atEnd;
  const names = nodes.filter(({ parent }) => parent === last.parent).map(({ name }) => name);
  return { scope: memberScope(flow, last), place: { type: target.type, names: [...new Set(names)] } };
}

export interface ReusableNode {
  name: string;
  kind: string;
  fragment: string;
}

export const listReusable = (flow: Flow): ReusableNode[] =>
  declaredNames(flow).map((name) => ({
    name,
    kind: findDeclaration(flow, name)?.type ?? "unknown",
    fragment: `swarm:\n  flow: ${JSON.stringify(printName(name))}\n`,
  }));
