import { lazy, type ReactNode, Suspense } from "react";
import { formatCount } from "@/lib/core/flow/format-count";
import type { Payload } from "@/lib/core/run/events/events";
import { isContainerKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { callsOf } from "@/lib/core/trace/conversation/call-messages";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import type { RunSource } from "../../_run/steps/run-source";
import type { Tab } from "../../_ui/controls/tabs";
import { loadPart } from "../../_ui/loading/load-part";
import { TextBlock, type TextForm } from "../text/text-block";
import { NodeDecisions, readDecisions } from "./decisions";
import { type LiveAgent, LiveAnswers } from "./live-answers";
import { NodeErrors } from "./node-errors";
import { NodeInstructions } from "./node-instructions";
import { NodeMessages } from "./node-messages";
import { NodeNotes } from "./node-notes";
import { NodeRequest, NodeTools } from "./node-request";
import { NodeTiming } from "./node-timing";
import { NodeValue } from "./node-value";
import { ToolCalls } from "./tool-calls";

const Comments = lazy(() => loadPart(() => import("../../_comments/comments")));

const StepComments = ({ flowId, run, step }: { flowId: string; run: string; step: number }) => (
  <div className="p-4">
    <Suspense fallback={<p className="text-text-muted text-xs">Loading the comments…</p>}>
      <Comments key={step} flowId={flowId} target={{ type: "step", run, step }} />
    </Suspense>
  </div>
);

export interface StepTabsContext {
  source: RunSource;
  /** Null: the run comes from a file. */
  flowId: string | null;
  node: RunNode;
  /** The model call before it of the same agent, by its id. */
  previousCall: number | null;
  agents: readonly LiveAgent[];
  /** What the step waits for while no agent is running. */
  waiting: string;
  now: number;
  onSelect(id: number): void;
}

export function toStepTabs(context: StepTabsContext): Tab[] {
  const { source, flowId, node, previousCall, agents, waiting, now, onSelect } = context;
  const { kind, input, reasoning, reasoningLength: length, metadata, request, response, error } = node;
  const isTool = kind === "tool_call";
  const decisions = readDecisions(metadata.decisions);
  const step = { source, node };
  const tab = (id: string, label: string, content: ReactNode): Tab => ({ id, label, content });
  const textTab = (field: TextField, label: string, payload: Payload, as: TextForm): Tab => {
    const textRef = { source, id: node.id, field };
    return tab(field, label, <TextBlock textRef={textRef} payload={payload} as={as} empty="Empty." label={label} />);
  };
  const tabs = [
    tab(
      "answer",
      isTool ? "Result" : "Answer",
      <Answer source={source} node={node} agents={agents} waiting={waiting} now={now} onSelect={onSelect} />,
    ),
    (metadata.schema !== undefined || metadata.value !== undefined) && tab("value", "Value", <NodeValue {...step} />),
    reasoning !== "" &&
      textTab("reasoning", "Thinking", { text: reasoning, ...(length !== undefined && { length }) }, "text"),
    kind === "llm_call"
      ? tab("messages", "Messages sent", <NodeMessages {...step} />)
      : textTab("input", isTool ? "Arguments" : "Input", input, isTool ? "json" : "text"),
    previousCall !== null &&
      tab("instructions", "Instruction changes", <NodeInstructions {...step} previousCall={previousCall} />),
    request && tab("tools", "Tools offered", <NodeTools source={source} id={node.id} request={request} />),
    request && tab("request", "Request", <NodeRequest source={source} id={node.id} request={request} />),
    request && response && textTab("response", "Raw answer", response, "json"),
    tab("timing", "Usage and timing", <NodeTiming node={node} now={now} onSelect={onSelect} />),
    decisions.length > 0 && tab("decisions", "Decisions", <NodeDecisions decisions={decisions} />),
    (node.notes || node.question) && tab("notes", "Notes", <NodeNotes node={node} />),
    flowId !== null &&
      source.until === null &&
      tab("comments", "Comments", <StepComments flowId={flowId} run={source.runId} step={node.id} />),
    (error || node.attempts.length > 0) &&
      tab("error", error ? "Error" : "Attempts", <NodeErrors node={node} runId={source.runId} flowId={flowId} />),
  ];
  const present = tabs.filter((entry) => typeof entry === "object");
  return present.toSorted((a, b) => weightOf(a, node) - weightOf(b, node));
}

/** Those that are read most come first: a step has room for few. */
const order = ["answer", "value", "input", "messages", "request", "timing", "reasoning", "tools"];

function weightOf({ id }: Tab, { error }: RunNode): number {
  if (id === "error") return error ? -1 : order.indexOf("timing") - 0.5;
  const place = order.indexOf(id);
  return place < 0 ? order.length : place;
}

function Answer({ source, node, agents, waiting, now, onSelect }: Omit<StepTabsContext, "flowId" | "previousCall">) {
  const { id, kind, output, status, error } = node;
  const isOver = isTerminal(status);
  const isLive = source.until === null;
  if (!isOver && isContainerKind(kind)) {
    const idle = isLive ? waiting : "No agent was running when the file was written.";
    return <LiveAnswers agents={agents} idle={idle} now={now} onSelect={onSelect} />;
  }
  const calls = kind === "llm_call" ? callsOf(node) : [];
  const empty = isOver
    ? error
      ? "The step ended without an answer."
      : "The answer is empty."
    : isLive
      ? waiting
      : "There was no text yet when the file was written.";
  return (
    <>
      {(output.text !== "" || calls.length === 0) && (
        <TextBlock
          textRef={{ source, id, field: "output" }}
          payload={output}
          as={kind === "tool_call" ? "json" : "markdown"}
          empty={empty}
          label={kind === "tool_call" ? "Result" : "Answer"}
        />
      )}
      {calls.length > 0 && (
        <div className="p-4">
          <h3 className="mb-2 text-text-muted">
            {calls.length === 1 ? "Called a tool" : `Called ${formatCount(calls.length)} tools`}
          </h3>
          <ToolCalls calls={calls} />
        </div>
      )}
    </>
  );
}
