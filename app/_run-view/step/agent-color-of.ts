import { keyNames, keyOfPath } from "@/lib/core/flow/node-key";
import type { RunNodeKind } from "@/lib/core/run/events/events";
import { isWorkKind } from "@/lib/core/run/events/run-node-traits";
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
  if (!isWorkKind(kind)) return undefined;
  // The path of a call begins with its agent's key: `key#llm-1#tool-1`.
  return agentColor(keyNames(keyOfPath(path)).at(-1) ?? name);
}
