import { type Flow, findDeclaration, type NodeDeclaration } from "@/lib/core/flow/flow";
import { agentColor } from "../_ui/agent-color";
import { findKindView } from "./registry";

/** Null for kinds that share the neutral colour. */
export const nodeColor = ({ type, name }: Pick<NodeDeclaration, "type" | "name">): string | null =>
  findKindView(type)?.hasColor ? agentColor(name) : null;

export function colorOfName(flow: Flow, name: string): string | null {
  const declaration = findDeclaration(flow, name);
  return declaration && nodeColor(declaration);
}
