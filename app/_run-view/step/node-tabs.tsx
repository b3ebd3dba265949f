import { isTerminal, type Payload } from "@/lib/core/run/events/events";
import { isContainerKind } from "@/lib/core/run/events/run-node-traits";
import { callsOf } from "@/lib/core/trace/conversation/call-messages";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import type { RunSource } from "../../_run/steps/run-source";
import type { Tab } from "../../_ui/controls/tabs";
import { TextBlock, type TextForm } from "../text/text-block";
import { readDecisions } from "./decisions";
import { type LiveAgent, LiveAnswers } from "./live-answers";
import { NodeDecisions } from "./node-decisions";
import { NodeErrors } from "./node-errors";
import { NodeInstructions } from "./node-instructions";
import { NodeMessages } from "./node-messages";
import { NodeNotes } from "./node-notes";
import { NodeRequest, NodeTools } from "./node-request";
import { NodeTiming } from "./node-timing";
import { NodeValue } from "./node-value";
import { ToolCalls } from "./tool-calls";

export interface StepTabsContext {
  source: RunSource;
  node: RunNode;
  /** The model call before it of the same agent, by its id. */
  previousCall: number | null;
  agents: readonly LiveAgent[];
  now: number;
  onSelect(id: number): void;
}

export function toStepTabs(context: StepTabsContext): Tab[] {
  const { node, now, onSelect } = context;
  const { kind, error, attempts, metadata } = node;
  const decisions = readDecisions(metadata.decisions);
  const tabs: (Tab | null)[] = [
    { id: "answer", label: kind === "tool_call" ? "Result" : "Answer", content: <Answer {...context} /> },
    ...toTextTabs(context),
    ...(node.request ? toRequestTabs(context, node.request) : []),
    { id: "timing", label: "Usage and timing", content: <NodeTiming node={node} now={now} onSelect={onSelect} /> },
    decisions.length === 0
      ? null
      : { id: "decisions", label: "Decisions", content: <NodeDecisions decisions={decisions} /> },
    node.notes || node.question ? { id: "notes", label: "Notes", content: <NodeNotes node={node} /> } : null,
    error || attempts.length > 0
      ? { id: "error", label: error ? "Error" : "Attempts", content: <NodeErrors node={node} /> }
      : null,
  ];
  return tabs.filter((tab) => tab !== null);
}

function toTextTabs(context: StepTabsContext): (Tab | null)[] {
  const { source, node, previousCall } = context;
  const { kind, input, reasoning, reasoningLength: length, metadata } = node;
  const isTool = kind === "tool_call";
  const thoughts: Payload = { text: reasoning, ...(length !== undefined && { length }) };
  return [
    metadata.schema === undefined && metadata.value === undefined
      ? null
      : { id: "value", label: "Value", content: <NodeValue source={source} node={node} /> },
    reasoning === "" ? null : toTextTab(context, "reasoning", "Thinking", thoughts, "text"),
    kind === "llm_call"
      ? { id: "messages", label: "Messages sent", content: <NodeMessages source={source} node={node} /> }
      : toTextTab(context, "input", isTool ? "Arguments" : "Input", input, isTool ? "json" : "text"),
    previousCall === null
      ? null
      : {
          id: "instructions",
          label: "Instruction changes",
          content: <NodeInstructions source={source} node={node} previousCall={previousCall} />,
        },
  ];
}

function toRequestTabs(context: StepTabsContext, request: NonNullable<RunNode["request"]>): Tab[] {
  const { source, node } = context;
  const requestProps = { source, id: node.id, request };
  return [
    { id: "tools", label: "Tools offered", content: <NodeTools {...requestProps} /> },
    { id: "request", label: "Request", content: <NodeRequest {...requestProps} /> },
    ...(node.response ? [toTextTab(context, "response", "Raw answer", node.response, "json")] : []),
  ];
}

function toTextTab(
  { source, node }: StepTabsContext,
  field: TextField,
  label: string,
  payload: Payload,
  as: TextForm,
): Tab {
  const textRef = { source, id: node.id, field };
  const content = <TextBlock textRef={textRef} payload={payload} as={as} empty="Empty." label={label} />;
  return { id: field, label, content };
}

function Answer({ source, node, agents, now, onSelect }: StepTabsContext) {
  const { id, kind, output, status, error } = node;
  const isOver = isTerminal(status);
  const isLive = source.until === null;
  if (!isOver && isContainerKind(kind)) {
    const idle = isLive ? "Waiting for the next agent …" : "No agent was running when the file was written.";
    return <LiveAnswers agents={agents} idle={idle} now={now} onSelect={onSelect} />;
  }
  const calls = kind === "llm_call" ? callsOf(node) : [];
  const empty = isOver
    ? error
      ? "The step ended without an answer."
      : "The answer is empty."
    : isLive
      ? "Waiting for the first token …"
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
            {calls.length === 1 ? "Called a tool" : `Called ${calls.length} tools`}
          </h3>
          <ToolCalls calls={calls} />
        </div>
      )}
    </>
  );
}
