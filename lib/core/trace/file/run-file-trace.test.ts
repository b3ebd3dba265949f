import { expect, test } from "vitest";
import type { RunNodeKind } from "../../run/events/events";
import type { RunNode } from "../model/run-state";
import { sampleNode, sampleRunFile } from "../testing/run.samples";
import type { RunFile } from "./run-file";
import { lastMomentOf, toTrace } from "./run-file-trace";

const node = (id: number, kind: RunNodeKind, more: Partial<RunNode> = {}): RunNode =>
  sampleNode(id, kind, { ...(id > 1 && { parent: id - 1 }), status: "RUNNING", endedAt: undefined, ...more });

const fileOf = (nodes: readonly RunNode[], run: Partial<RunFile["run"]> = {}): RunFile =>
  sampleRunFile(nodes, { status: "RUNNING", startedAt: 6, endedAt: null, ...run });

const spoken = { output: { text: "Threads" }, reasoning: "Hm.", firstTokenAt: 33 };

test("holds the run's own facts", () => {
  const error = { code: "network", message: "No server there." };
  expect(toTrace(fileOf([], { status: "FAILED", endedAt: 9, error })).run).toEqual({
    status: "FAILED",
    flow: "Looms",
    simulated: false,
    startedAt: 6,
    endedAt: 9,
    error,
  });
  expect(toTrace(fileOf([])).run).not.toHaveProperty("endedAt");
});

test("contains the text of an agent that had not ended, also between two calls", () => {
  const steps = [node(1, "swarm"), node(2, "agent")];
  const words = { text: "Threads", reasoning: "Hm." };
  const speaking = toTrace(fileOf([...steps, node(3, "llm_call", spoken)]));
  expect(speaking.statusOf(2)).toBe("RUNNING");
  expect(speaking.texts.of(1)).toEqual(words);
  const between = toTrace(fileOf([...steps, node(3, "llm_call", { ...spoken, status: "SUCCESS", endedAt: 40 })]));
  expect(between.texts.of(1)).toEqual(words);
});

test("keeps no words of what has ended", () => {
  const ended = { status: "SUCCESS", endedAt: 40 } as const;
  const trace = toTrace(
    fileOf([node(1, "swarm"), node(2, "agent", ended), node(3, "llm_call", { ...spoken, ...ended })]),
  );
  expect(trace.texts.entries()).toEqual([]);
});

test("a step that waits for a user has its question", () => {
  const question = { type: "question", message: "Which?", at: 12, number: 7 } as const;
  const trace = toTrace(fileOf([node(1, "swarm", { status: "WAITING", question })], { status: "WAITING" }));
  expect(trace.questions.get(0)).toEqual(question);
  expect(trace.run.status).toBe("WAITING");
});

test("the last moment is the latest of everything that it tells", () => {
  expect(lastMomentOf(fileOf([]))).toBe(6);
  expect(lastMomentOf(fileOf([node(1, "swarm"), node(2, "agent")]))).toBe(20);
  expect(lastMomentOf(fileOf([node(1, "llm_call", spoken)]))).toBe(33);
  const error = { code: "network", message: "" };
  expect(lastMomentOf(fileOf([node(1, "llm_call", { attempts: [{ attempt: 1, at: 44, error }] })]))).toBe(44);
  expect(lastMomentOf(fileOf([node(1, "agent", { notes: [{ at: 55, code: "c", message: "" }] })]))).toBe(55);
  expect(lastMomentOf(fileOf([node(1, "swarm", { endedAt: 66 })], { endedAt: 67 }))).toBe(67);
});
