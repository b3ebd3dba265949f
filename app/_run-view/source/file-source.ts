import type { FlowAgents } from "@/lib/core/flow/agent-numbers";
import type { Layout } from "@/lib/core/flow/edit";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { RunFile } from "@/lib/core/trace/file/run-file";
import { lastMomentOf, toTrace } from "@/lib/core/trace/file/run-file-trace";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import {
  payloadLimit,
  type TextField,
  textOf,
  truncateFacts,
  truncateNodeTexts,
} from "@/lib/core/trace/model/step-texts";
import { saveFile } from "../../_formats/save-file";
import type { TraceSource } from "../../_run/follow/trace-source";
import type { RunSource } from "../../_run/steps/run-source";
import type { RunInfo } from "../run-header";
import { type TurnSource, turnsOfNodes } from "./turn-source";

export interface FileRun {
  shown: RunInfo;
  isOver: boolean;
  traces: TraceSource;
  steps: RunSource;
  turns: TurnSource;
  source: string;
  layout: Layout;
}

export function createFileRun(file: RunFile, agents?: FlowAgents): FileRun {
  const { id, flowName, createdAt, status } = file.run;
  return {
    shown: { id, flowName, createdAt, flowId: null, forkedFrom: null, forks: 0, trigger: null, version: null },
    isOver: isTerminal(status),
    traces: createFileTrace(file, agents),
    steps: createFileRunSource(file),
    turns: turnsOfNodes(file.nodes),
    source: file.source,
    layout: file.layout,
  };
}

function createFileTrace(file: RunFile, agents?: FlowAgents): TraceSource {
  const trace = toTrace(file, agents);
  return {
    initial: trace,
    load: async () => trace,
    follow(_, show) {
      show("ended");
      return () => {};
    },
  };
}

function createFileRunSource(file: RunFile): RunSource {
  const { nodes } = file;
  const find = (id: number): RunNode => {
    const node = nodes[id - 1];
    if (!node) throw new Error("There is no such step in this file.");
    return node;
  };
  const text = (id: number, field: TextField): string => textOf(find(id), field).text;
  return {
    runId: file.run.id,
    until: lastMomentOf(file),
    node: async (id) => cutStep(find(id)),
    text: async (id, field) => text(id, field),
    download: (id, field) => saveFile(new Blob([text(id, field)], { type: "text/plain" }), `step-${id}-${field}.txt`),
  };
}

const cutStep = (node: RunNode): RunNode =>
  truncateNodeTexts(
    JSON.stringify(node.metadata).length > payloadLimit ? { ...node, metadata: truncateFacts(node.metadata) } : node,
  );
