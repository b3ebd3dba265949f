import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import { isContainerKind, type RunNodeKind } from "@/lib/core/run/events/events";
import { agentColor } from "../../_ui/agent-color";

/** The colour of the agent that a step is, or belongs to: its key begins the path. Swarms and groups have none. */
export function agentColorOf({
  kind,
  path,
  name,
}: {
  kind: RunNodeKind;
  path: string;
  name: string;
}): string | undefined {
  if (isContainerKind(kind) || kind === "handoff" || kind === "approval") return undefined;
  // A call stands below its agent: `key#llm-1#tool-1`.
  return agentColor(keyNames(keyOfPath(path)).at(-1) ?? name);
}
