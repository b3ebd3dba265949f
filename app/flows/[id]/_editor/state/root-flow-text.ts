import { printFlow } from "@/lib/core/dsl/print";
import type { EditorState } from "./editor/editor";

/** As written in the file while it cannot be parsed. */
export function rootFlowText({ flow, document }: Pick<EditorState, "flow" | "document">): string {
  const text = document.unreadRootFlow;
  return text?.replaceAll(/\s+/g, " ").trim() ?? (flow.swarm.flow ? printFlow(flow.swarm.flow) : "");
}

export const unknownNames = (arrangement: EditorState["arrangement"]): string[] => [
  ...new Set(arrangement.nodes.flatMap((node) => (node.type === "unknown" ? [node.name] : []))),
];
