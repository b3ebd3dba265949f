import { describe, expect, test } from "vitest";
import type { Message, ToolCall } from "../events/messages";
import { type Conversation, decideNextAction, type NextAction } from "./planner";

const call = (id: string, name = "t"): ToolCall => ({ id, name, arguments: "{}" });
const system: Message = { role: "system", content: "S" };
const question: Message = { role: "user", content: "Q" };
const answer: Message = { role: "assistant", content: "A" };
const asks: Message = { role: "assistant", content: "pre", toolCalls: [call("1"), call("2")] };
const result = (toolCallId: string): Message => ({ role: "tool", toolCallId, name: "t", content: "R" });

const conversationOf = (messages: Message[], change: Partial<Conversation> = {}): Conversation => ({
  messages,
  turns: 1,
  signatures: [],
  max_steps: 3,
  loop_threshold: 2,
  pollingTools: new Set(["list_agents"]),
  tool_calls: "parallel",
  ...change,
});

describe("decideNextAction", () => {
  const cases: [string, Conversation, NextAction][] = [
    ["an empty conversation", conversationOf([]), { type: "nothing-to-do" }],
    ["only instructions", conversationOf([system]), { type: "nothing-to-do" }],
    ["a question", conversationOf([system, question]), { type: "call-model" }],
    ["a question after an answer", conversationOf([question, answer, question]), { type: "call-model" }],
    ["an answer", conversationOf([question, answer]), { type: "done", reason: "answered", answer: "A" }],
    [
      "an answer with an empty list of calls",
      conversationOf([question, { ...answer, toolCalls: [] }]),
      { type: "done", reason: "answered", answer: "A" },
    ],
    [
      "calls",
      conversationOf([question, asks]),
      { type: "execute-tools", calls: [call("1"), call("2")], order: "parallel" },
    ],
    [
      "some results",
      conversationOf([question, asks, result("1")]),
      { type: "execute-tools", calls: [call("2")], order: "parallel" },
    ],
    [
      "calls in order",
      conversationOf([question, asks], { tool_calls: "sequential" }),
      { type: "execute-tools", calls: [call("1"), call("2")], order: "sequential" },
    ],
    ["all results", conversationOf([question, asks, result("1"), result("2")]), { type: "call-model" }],
    [
      "all results at the step limit",
      conversationOf([question, asks, result("1"), result("2")], { turns: 3 }),
      { type: "done", reason: "step-limit", answer: "pre" },
    ],
    [
      "calls at the step limit still run",
      conversationOf([question, asks], { turns: 3 }),
      { type: "execute-tools", calls: [call("1"), call("2")], order: "parallel" },
    ],
    [
      "an answer at the step limit",
      conversationOf([question, answer], { turns: 3 }),
      { type: "done", reason: "answered", answer: "A" },
    ],
    [
      "187: results without a call are looked at by the model",
      conversationOf([question, result("9")]),
      { type: "call-model" },
    ],
    [
      "different calls",
      conversationOf([question, asks], { signatures: ["x", "y"] }),
      { type: "execute-tools", calls: [call("1"), call("2")], order: "parallel" },
    ],
    [
      "equal calls, not in a row",
      conversationOf([question, asks], { signatures: ["x", "y", "x"] }),
      { type: "execute-tools", calls: [call("1"), call("2")], order: "parallel" },
    ],
    [
      "equal calls in a row",
      conversationOf([question, asks], { signatures: ["y", "x", "x"] }),
      { type: "done", reason: "loop", answer: "pre", signature: "x" },
    ],
    [
      "a loop at the step limit is named a loop",
      conversationOf([question, asks], { signatures: ["x"], loop_threshold: 1, turns: 3 }),
      { type: "done", reason: "loop", answer: "pre", signature: "x" },
    ],
  ];
  test.each(cases)("%s", (_name, conversation, step) => {
    const before = structuredClone(conversation);
    expect(decideNextAction(conversation)).toEqual(step);
    expect(conversation).toEqual(before);
  });
});
