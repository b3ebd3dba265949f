import { isPlace, isTerminal } from "@/lib/core/run/events";
import type { RunNode } from "@/lib/core/trace/run-state";
import type { Tab } from "../_ui/tabs";
import { LiveAnswers } from "./live-answers";
import { NodeErrors } from "./node-errors";
import { NodeMessages } from "./node-messages";
import { NodeNotes } from "./node-notes";
import { NodeTiming } from "./node-timing";
import { TextBlock } from "./text-block";
import { ToolCalls, toolCallsOf } from "./tool-calls";

export interface TabsOf {
  node: RunNode;
  /** The agents below a swarm or a group. */
  agents: readonly RunNode[];
  now: number;
  onSelect(id: number): void;
}

/** What can be read about a step, by its kind. */
export function toTabs(of: TabsOf): Tab[] {
  const { node, now } = of;
  const { kind, error, attempts, reasoning, request } = node;
  const isTool = kind === "tool_call";
  return [
    { id: "answer", label: isTool ? "Result" : "Answer", content: <Answer {...of} /> },
    ...(reasoning === "" ? [] : [toTextTab("thinking", "Thinking", { text: reasoning })]),
    kind === "llm_call"
      ? { id: "messages", label: "Messages sent", content: <NodeMessages payload={node.input} /> }
      : toTextTab("input", isTool ? "Arguments" : "Input", node.input, isTool ? "json" : "text"),
    ...(request ? [toTextTab("request", "Request", request.body, "json", `POST ${request.url}`)] : []),
    { id: "timing", label: "Usage and timing", content: <NodeTiming node={node} now={now} /> },
    ...(node.metadata.value === undefined
      ? []
      : [toTextTab("value", "Value", { text: JSON.stringify(node.metadata.value, null, 2) }, "json")]),
    ...(node.notes || node.question ? [{ id: "notes", label: "Notes", content: <NodeNotes node={node} /> }] : []),
    ...(error || attempts.length > 0
      ? [{ id: "error", label: error ? "Error" : "Attempts", content: <NodeErrors node={node} /> }]
      : []),
  ];
}

function toTextTab(
  id: string,
  label: string,
  payload: RunNode["input"],
  as: "json" | "text" = "text",
  caption?: string,
): Tab {
  const content = (
    <TextBlock payload={payload} as={as} empty="Nothing was given." name={id} {...(caption ? { caption } : {})} />
  );
  return { id, label, content };
}

function Answer({ node, agents, now, onSelect }: TabsOf) {
  const { kind, output, status, error } = node;
  const isOver = isTerminal(status);
  if (!isOver && isPlace(kind)) return <LiveAnswers agents={agents} now={now} onSelect={onSelect} />;
  const calls = kind === "llm_call" ? toolCallsOf(node) : [];
  const empty = isOver
    ? error
      ? "It ended without an answer."
      : "The answer is empty."
    : "Waiting for the first words …";
  return (
    <>
      {(output.text !== "" || calls.length === 0) && (
        <TextBlock payload={output} as={kind === "tool_call" ? "json" : "markdown"} empty={empty} name="answer" />
      )}
      {calls.length > 0 && (
        <div className="p-4">
          <h3 className="mb-2 text-text-muted">
            {calls.length === 1 ? "It called a tool" : `It called ${calls.length} tools`}
          </h3>
          <ToolCalls calls={calls} />
        </div>
      )}
    </>
  );
}
