import { describe, expect, test } from "vitest";
import type { Message, ToolCall } from "../events/messages";
import { type Conversation, decideNextAction, type NextAction } from "./planner";

const call = (id: string, name = "t"): ToolCall => ({ id, name, arguments: "{}" });
const system: Message = { role: "system", content: "S" };
const question: Message = { role: "user", content: "Q" };
const answer: Message = { role: "assistant", content: "A" };
const asks: Message = { role: "assistant", content: "pre", toolCalls: [call("1"), call("2")] };
const result = (toolCallId: string): Message => ({ role: "tool", toolCallId, name: "t", content: "R" });

const talk = (messages: Message[], change: Partial<Conversation> = {}): Conversation => ({
  messages,
  turns: 1,
  signatures: [],
  max_steps: 3,
  loop_threshold: 2,
  ...change,
});

describe("nextStep", () => {
  const cases: [string, Conversation, NextAction][] = [
    ["nothing was said", talk([]), { type: "nothing-to-do" }],
    ["only instructions", talk([system]), { type: "nothing-to-do" }],
    ["a question", talk([system, question]), { type: "call-model" }],
    ["a question after an answer", talk([question, answer, question]), { type: "call-model" }],
    ["an answer", talk([question, answer]), { type: "done", reason: "answered", answer: "A" }],
    [
      "an answer with an empty list of calls",
      talk([question, { ...answer, toolCalls: [] }]),
      { type: "done", reason: "answered", answer: "A" },
    ],
    ["calls", talk([question, asks]), { type: "execute-tools", calls: [call("1"), call("2")] }],
    ["some results", talk([question, asks, result("1")]), { type: "execute-tools", calls: [call("2")] }],
    ["all results", talk([question, asks, result("1"), result("2")]), { type: "call-model" }],
    [
      "all results at the step limit",
      talk([question, asks, result("1"), result("2")], { turns: 3 }),
      { type: "done", reason: "step-limit", answer: "pre" },
    ],
    [
      "calls at the step limit still run",
      talk([question, asks], { turns: 3 }),
      { type: "execute-tools", calls: [call("1"), call("2")] },
    ],
    [
      "an answer at the step limit",
      talk([question, answer], { turns: 3 }),
      { type: "done", reason: "answered", answer: "A" },
    ],
    ["187: results without a call are looked at by the model", talk([question, result("9")]), { type: "call-model" }],
    [
      "different calls",
      talk([question, asks], { signatures: ["x", "y"] }),
      { type: "execute-tools", calls: [call("1"), call("2")] },
    ],
    [
      "equal calls, not in a row",
      talk([question, asks], { signatures: ["x", "y", "x"] }),
      { type: "execute-tools", calls: [call("1"), call("2")] },
    ],
    [
      "equal calls in a row",
      talk([question, asks], { signatures: ["y", "x", "x"] }),
      { type: "done", reason: "loop", answer: "pre", signature: "x" },
    ],
    [
      "a loop at the step limit is named a loop",
      talk([question, asks], { signatures: ["x"], loop_threshold: 1, turns: 3 }),
      { type: "done", reason: "loop", answer: "pre", signature: "x" },
    ],
  ];
  test.each(cases)("%s", (_name, conversation, step) => {
    const before = structuredClone(conversation);
    expect(decideNextAction(conversation)).toEqual(step);
    expect(conversation).toEqual(before);
  });
});
