"use client";
import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events";
import { KindIcon, kindLabels } from "../_ui/kind-icon";
import { SimulatedBadge } from "../_ui/simulated-badge";
import { StatusBadge } from "../_ui/status-badge";
import { Tabs } from "../_ui/tabs";
import { agentColorOf } from "./bars";
import { type TabsOf, toTabs } from "./node-tabs";
import { TellAgent } from "./tell-agent";
import { useWholeNode } from "./use-whole-node";

interface NodeDetailProps extends TabsOf {
  runId: string;
  isRoot: boolean;
}

/** Everything about one step. Large texts are loaded when the step is opened. */
export function NodeDetail({ runId, isRoot, node, ...rest }: NodeDetailProps) {
  const { shown, problem } = useWholeNode(runId, node);
  const tabs = toTabs({ node: shown, ...rest });
  const [chosen, choose] = useState<string | null>(null);
  const first = node.error && !isRoot ? "error" : "answer";
  const value = tabs.some(({ id }) => id === chosen) && chosen !== null ? chosen : first;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
        <span style={{ color: agentColorOf(node) }}>
          <KindIcon kind={node.kind} size={16} />
        </span>
        <h2 className="min-w-0 truncate font-semibold text-sm">{isRoot ? "The whole run" : node.name}</h2>
        {!isRoot && <span className="text-text-muted">{kindLabels[node.kind]}</span>}
        <StatusBadge status={node.status} />
        {node.simulated && <SimulatedBadge />}
      </div>
      {problem && (
        <p role="alert" className="px-4 text-danger">
          The whole text could not be loaded: {problem}
        </p>
      )}
      <Tabs label="About the step" tabs={tabs} value={value} onChange={choose} />
      {node.kind === "agent" && !isTerminal(node.status) && <TellAgent runId={runId} node={node} />}
    </>
  );
}
