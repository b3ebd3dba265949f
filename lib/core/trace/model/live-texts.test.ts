import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../run/events/events";
import { LiveTexts } from "./live-texts";
import { Trace } from "./trace";
import { applyBatch, toBatch } from "./trace-batch";

const [agent, firstCall, secondCall] = [10, 11, 12];

function spokenTexts(): LiveTexts {
  const texts = new LiveTexts();
  texts.append(firstCall, agent, { text: "Hel" });
  texts.append(firstCall, agent, { text: "lo", reasoning: "Greet." });
  return texts;
}

describe("live texts", () => {
  test("a call's text and reasoning grow, and its agent has the same", () => {
    const texts = spokenTexts();
    expect(texts.of(firstCall)).toEqual({ text: "Hello", reasoning: "Greet." });
    expect(texts.of(agent)).toBe(texts.of(firstCall));
    expect(texts.of(secondCall)).toBeUndefined();
  });

  test("the agent has the text of the call that streamed last; the one before is dropped", () => {
    const texts = spokenTexts();
    texts.append(secondCall, agent, { text: "Bye" });
    expect(texts.of(agent)).toEqual({ text: "Bye", reasoning: "" });
    expect(texts.entries()).toEqual([[secondCall, { text: "Bye", reasoning: "" }]]);
  });

  test("calls of several agents do not disturb each other", () => {
    const texts = spokenTexts();
    texts.append(21, 20, { text: "Other" });
    texts.close(20);
    expect(texts.of(20)).toBeUndefined();
    expect(texts.of(agent)?.text).toBe("Hello");
  });

  test("the end of a call keeps its text for the agent, the end of the agent drops it", () => {
    const texts = spokenTexts();
    texts.close(firstCall);
    expect(texts.of(agent)?.text).toBe("Hello");
    texts.close(agent);
    texts.close(agent);
    expect(texts.of(agent)).toBeUndefined();
    expect(texts.entries()).toEqual([]);
  });

  test("an earlier value is not changed by later text", () => {
    const texts = spokenTexts();
    const before = texts.of(agent);
    texts.append(firstCall, agent, { text: "!" });
    expect(before?.text).toBe("Hello");
  });

  test("surrogate pairs and combining marks that arrive in halves are joined", () => {
    const texts = new LiveTexts();
    for (const half of ["\ud83d", "\ude00", "e", "\u0301"]) texts.append(firstCall, agent, { text: half });
    expect(texts.of(agent)?.text).toBe("😀e\u0301");
  });
});

test("the words of an attempt that failed are not those of the next one, in one batch or in several", () => {
  const failed = {
    seq: 4,
    at: 4,
    type: "attempt.failed",
    id: 1,
    attempt: 1,
    error: { code: "interrupted", message: "" },
  } as const;
  const events: readonly RunEvent[] = [
    { seq: 1, at: 1, type: "run.started", input: { text: "" }, flow: "F" },
    { seq: 2, at: 2, type: "node.started", id: 1, path: "a#llm-1", kind: "llm_call", name: "m", input: { text: "" } },
    { seq: 3, at: 3, type: "text.appended", id: 1, text: "half " },
    { ...failed, waitMs: 0 },
    { seq: 5, at: 5, type: "text.appended", id: 1, text: "whole" },
  ];
  for (const size of [1, 2, events.length]) {
    const trace = new Trace({});
    for (let from = 0; from < events.length; from += size) {
      const batch = toBatch(events.slice(from, from + size));
      if (batch) applyBatch(trace, batch);
    }
    expect(trace.texts.of(0)?.text).toBe("whole");
  }
});
