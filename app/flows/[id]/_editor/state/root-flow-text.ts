import { printFlow } from "@/lib/core/dsl/print";
import { readText } from "@/lib/core/source/yaml/yaml-nodes";
import type { EditorState } from "./editor/editor";

/** The root flow on one line: as it is printed, or as it stands in the file while it cannot be read. */
export function rootFlowText({ flow, document }: Pick<EditorState, "flow" | "document">): string {
  const written = document.topologies.get(null)?.entries.get("flow")?.value ?? null;
  const isUnread = document.unreadableRanges.some(({ owner, type }) => owner === null && type === "members");
  const text = isUnread ? readText(written) : null;
  return text?.replaceAll(/\s+/g, " ").trim() ?? (flow.swarm.flow ? printFlow(flow.swarm.flow) : "");
}

/** Names in the flow that nothing is declared as, each once. */
export const unknownNames = (arrangement: EditorState["arrangement"]): string[] => [
  ...new Set(arrangement.nodes.flatMap((node) => (node.type === "unknown" ? [node.name] : []))),
];
