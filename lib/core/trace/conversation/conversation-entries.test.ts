import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunNodeKind } from "../../run/events/events";
import type { RunNode } from "../model/run-state";
import { sampleNode } from "../testing/run.samples";
import { runNodes } from "../testing/run-node.arbitrary";
import { entryTextLength, laneOf, toConversationEntries } from "./conversation-entries";

const node = (id: number, kind: RunNodeKind, path: string, rest: Partial<RunNode> = {}): RunNode =>
  sampleNode(id, kind, {
    path,
    name: path,
    input: { text: `in ${id}` },
    output: { text: `out ${id}` },
    ...rest,
  });
const toolCalls = [{ id: "1", name: "calculator", arguments: "{}" }];

describe("toTurns", () => {
  test("a conversation, in order of time", () => {
    const turns = toConversationEntries([
      node(1, "swarm", "/", { name: "Article" }),
      node(2, "agent", "review/a#2", {
        name: "a",
        notes: [
          { at: 21, code: "message", message: "be brief" },
          { at: 21, code: "trimmed", message: "not shown" },
        ],
      }),
      node(3, "llm_call", "review/a#2#llm-1", { name: "m", output: { text: "" }, metadata: { toolCalls } }),
      node(4, "tool_call", "review/a#2#llm-1#tool-1", { name: "calculator", status: "FAILED" }),
      node(5, "llm_call", "review/a#2#llm-2#fallback", { name: "m", reasoning: "hm" }),
      node(6, "handoff", "review#handoff-1", { name: "a → b" }),
      node(7, "approval", "boss", {
        name: "boss",
        question: { type: "approval", message: "May it?", text: "the text", at: 71, number: 9 },
        answer: { decision: "rejected", by: "Ann", reason: "too long", at: 72 },
      }),
    ]);
    expect(turns.map(({ id, type, agent, about, text }) => [id, type, agent.path, agent.name, about, text])).toEqual([
      [1, "given", "review/a#2", "a", "", "in 2"],
      [2, "message", "review/a#2", "a", "", "be brief"],
      [3, "call", "review/a#2", "a", "calculator", "in 4"],
      [4, "result", "review/a#2", "a", "calculator", "out 4"],
      [5, "answer", "review/a#2", "a", "m", "out 5"],
      [6, "handoff", "review/a", "a", "b", "in 6"],
      [7, "question", "boss", "boss", "", "May it?\n\nthe text"],
      [8, "reply", "boss", "boss", "Ann", "too long"],
    ]);
    expect(turns.map(({ isError = false, reasoning = false }) => [isError, reasoning])).toEqual([
      [false, false],
      [false, false],
      [false, false],
      [true, false],
      [false, true],
      [false, false],
      [false, false],
      [true, false],
    ]);
  });

  test("a handoff in the root swarm belongs to its agent", () => {
    expect(toConversationEntries([node(1, "handoff", "/#handoff-1", { name: "a/b → c" })])[0]?.agent).toEqual({
      path: "a%2Fb",
      name: "a/b",
    });
  });

  test("long texts are shortened, with their full length", () => {
    const [long, stored, short] = toConversationEntries([
      node(1, "agent", "a", { input: { text: "x".repeat(2001) } }),
      node(2, "agent", "b", { input: { text: "x".repeat(2001), length: 99_999 } }),
      node(3, "agent", "c", { input: { text: "x".repeat(2000) } }),
    ]);
    expect([long?.text.length, long?.length]).toEqual([entryTextLength, 2001]);
    expect([stored?.text.length, stored?.length]).toEqual([entryTextLength, 99_999]);
    expect([short?.text.length, short?.length]).toEqual([entryTextLength, undefined]);
  });

  test("what has not ended has no last word, and a failure without a text tells why", () => {
    const turns = toConversationEntries([
      node(1, "tool_call", "a#llm-1#tool-1", { endedAt: undefined, status: "RUNNING" }),
      node(2, "llm_call", "a#llm-1", {
        status: "FAILED",
        output: { text: "" },
        error: { code: "network", message: "reset" },
      }),
    ]);
    expect(turns.map(({ type, text, isError }) => [type, text, isError])).toEqual([
      ["call", "in 1", undefined],
      ["answer", "reset", true],
    ]);
  });

  test("rounds and visits of an agent share one lane", () => {
    expect(["refine#2/writer", "refine/writer#3", "refine/writer"].map(laneOf)).toEqual(Array(3).fill("refine/writer"));
  });

  test("property: numbered, in order, no text too long, whatever the run", () => {
    fc.assert(
      fc.property(runNodes, (nodes) => {
        const turns = toConversationEntries(nodes);
        expect(turns.map(({ id }) => id)).toEqual(turns.map((_, index) => index + 1));
        expect(turns.every(({ at }, index) => index === 0 || (turns[index - 1]?.at ?? 0) <= at)).toBe(true);
        expect(turns.every(({ text }) => text.length <= entryTextLength)).toBe(true);
      }),
    );
  });
});
