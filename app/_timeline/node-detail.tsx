"use client";
import { useEffect, useState } from "react";
import type { RunNode } from "@/lib/core/trace/run-state";
import type { RunNodeDetail } from "@/lib/server/runs/queries";
import { fetchJson, messageOf } from "../_ui/fetch-json";
import { KindIcon, kindLabels } from "../_ui/kind-icon";
import { SimulatedBadge } from "../_ui/simulated-badge";
import { StatusBadge } from "../_ui/status-badge";
import { type Tab, Tabs } from "../_ui/tabs";
import { NodeErrors } from "./node-errors";
import { NodeMessages } from "./node-messages";
import { NodeTiming } from "./node-timing";
import { TextBlock } from "./text-block";

interface NodeDetailProps {
  runId: string;
  node: RunNode;
  isRoot: boolean;
  now: number;
}

/** Everything about one step. Large texts are loaded when the step is opened. */
export function NodeDetail({ runId, node, isRoot, now }: NodeDetailProps) {
  const { shown, problem } = useWholeNode(runId, node);
  const tabs = toTabs(shown, now);
  const [chosen, choose] = useState(node.error && !isRoot ? "error" : "answer");
  const value = tabs.some(({ id }) => id === chosen) ? chosen : "answer";
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 pb-1">
        <KindIcon kind={node.kind} />
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
    </>
  );
}

/** The node with its texts whole, once they are here. */
function useWholeNode(runId: string, node: RunNode): { shown: RunNode; problem: string | null } {
  const [whole, setWhole] = useState<RunNode | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const isCut = [node.input, node.output, node.request?.body].some((payload) => payload?.length !== undefined);
  const state = node.endedAt ?? "running";
  const { id } = node;
  useEffect(() => {
    if (!isCut) return;
    const controller = new AbortController();
    fetchJson<RunNodeDetail>(`/api/v1/runs/${runId}/nodes/${id}?state=${state}`, { signal: controller.signal }).then(
      setWhole,
      (error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      },
    );
    return () => controller.abort();
  }, [runId, id, isCut, state]);
  return { shown: whole && whole.endedAt === node.endedAt ? whole : node, problem };
}

function toTabs(node: RunNode, now: number): Tab[] {
  const { kind, input, output, request, error, attempts } = node;
  const tool = kind === "tool_call";
  const answer: Tab = {
    id: "answer",
    label: tool ? "Result" : "Answer",
    content: (
      <TextBlock
        payload={output}
        as={tool ? "json" : "markdown"}
        empty={node.endedAt === undefined ? "Nothing yet …" : "It answered with nothing."}
        name={`${node.name}-answer`}
      />
    ),
  };
  const asked: Tab =
    kind === "llm_call"
      ? { id: "messages", label: "Messages sent", content: <NodeMessages payload={input} /> }
      : {
          id: "input",
          label: tool ? "Arguments" : "Input",
          content: (
            <TextBlock
              payload={input}
              as={tool ? "json" : "text"}
              empty="Nothing was given."
              name={`${node.name}-input`}
            />
          ),
        };
  return [
    answer,
    asked,
    ...(request
      ? [
          {
            id: "request",
            label: "Request",
            content: (
              <TextBlock
                payload={request.body}
                as="json"
                empty=""
                name={`${node.name}-request`}
                caption={`POST ${request.url}`}
              />
            ),
          },
        ]
      : []),
    { id: "timing", label: "Usage and timing", content: <NodeTiming node={node} now={now} /> },
    ...(error || attempts.length > 0
      ? [{ id: "error", label: error ? "Error" : "Attempts", content: <NodeErrors node={node} /> }]
      : []),
  ];
}
