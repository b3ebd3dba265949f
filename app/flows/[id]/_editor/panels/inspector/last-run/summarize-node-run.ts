import { keyOfPath, type NodeKey } from "@/lib/core/flow/node-key";
import type { ShownStatus } from "@/lib/core/run/events/run-status";
import { addUsage, noUsage, type Usage } from "@/lib/core/run/events/usage";
import type { RunNode, RunState } from "@/lib/core/trace/model/run-state";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";

/** What one node did in a run, over all its rounds. */
export interface NodeRunSummary {
  /** Of its last round. */
  nodeId: number;
  status: ShownStatus;
  rounds: number;
  /** Sum of its rounds, in milliseconds. */
  durationMs: number;
  modelCalls: number;
  toolCalls: number;
  usage: Usage;
  input: RunNode["input"];
  output: RunNode["output"];
  error: string | null;
}

/** Null: the run did not reach the node. */
export function summarizeNodeRun({ nodes, endedAt }: RunState, key: NodeKey): NodeRunSummary | null {
  const own = nodes.filter(({ kind, path }) => !callKinds.has(kind) && keyOfPath(path) === key);
  const last = own.at(-1);
  if (!last) return null;
  const ids = new Set(own.map(({ id }) => id));
  const calls: RunNode[] = [];
  // Parents come before their children.
  for (const node of nodes) {
    if (node.parent === undefined || !ids.has(node.parent)) continue;
    ids.add(node.id);
    if (callKinds.has(node.kind)) calls.push(node);
  }
  const modelCalls = calls.filter(({ kind }) => kind === "llm_call");
  return {
    nodeId: last.id,
    status: toShownStatus(last.status, last.error?.code),
    rounds: own.length,
    durationMs: own.reduce(
      (sum, node) => sum + Math.max(0, (node.endedAt ?? endedAt ?? node.startedAt) - node.startedAt),
      0,
    ),
    modelCalls: modelCalls.length,
    toolCalls: calls.length - modelCalls.length,
    usage: modelCalls.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    input: last.input,
    output: last.output,
    error: last.error?.message ?? null,
  };
}

const callKinds: ReadonlySet<RunNode["kind"]> = new Set<RunNode["kind"]>(["llm_call", "tool_call"]);
