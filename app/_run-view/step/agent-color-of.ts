import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import { isContainerKind, type RunNodeKind } from "@/lib/core/run/events/events";
import { agentColor } from "../../_ui/agent-color";

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
  // The path of a call begins with its agent's key: `key#llm-1#tool-1`.
  return agentColor(keyNames(keyOfPath(path)).at(-1) ?? name);
}
