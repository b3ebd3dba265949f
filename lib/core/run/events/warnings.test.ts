import { describe, expect, test } from "vitest";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { ScriptedTurn } from "../testing/scripted-model";
import { runScripted } from "../testing/scripted-run";
import { listWarnings } from "./warnings";

const runTurns = (a: readonly ScriptedTurn[], agent = {}) =>
  runScripted({ flow: "a", agents: { a: agent } }, { script: { a } });

const warningsOf = ({ events }: Awaited<ReturnType<typeof runTurns>>) =>
  listWarnings(foldEvents(emptyRunState, events).nodes);

describe("a run that ends well although an answer is not whole has a warning on its model call", () => {
  test.each([
    ["length", "MAX_TOKENS", "answer-cut", /limit of output tokens \(finish reason: MAX_TOKENS\).*which is 7/],
    ["content-filter", "SAFETY", "content-filtered", /for its content \(finish reason: SAFETY\)/],
    ["other", "pause_turn", "answer-cut", /before its end \(finish reason: pause_turn\)/],
  ] as const)("%s", async (finishReason, providerReason, code, message) => {
    const ran = await runTurns([{ text: "Half", finishReason, providerReason }], { max_tokens: 7 });
    expect(ran.last).toMatchObject({ status: "SUCCESS", output: { text: "Half" } });
    expect(warningsOf(ran)).toEqual([{ code, message: expect.stringMatching(message), node: 3, path: "a#llm-1" }]);
    expect(foldEvents(emptyRunState, ran.events).warnings).toBe(1);
  });

  test("the message mentions that the agent sets no limit", async () => {
    expect(warningsOf(await runTurns([{ finishReason: "length" }]))[0]?.message).toContain("is not set");
  });

  test("a warning of the provider is kept; a deviation that was corrected is a note and no warning", async () => {
    const notes = [
      { code: "provider-deviation", message: "An id was missing." },
      { code: "tool-call-in-text", message: "The text contains a call." },
    ] as const;
    const ran = await runTurns([{ text: "x", notes }]);
    expect(ran.events.filter(({ type }) => type === "node.noted")).toMatchObject(notes);
    expect(warningsOf(ran)).toEqual([{ ...notes[1], node: 3, path: "a#llm-1" }]);
  });

  test("an attempt that failed leaves no notes of an answer", async () => {
    const failure = { class: "server", message: "Down" } as const;
    expect(warningsOf(await runTurns([{ end: failure, finishReason: "length" }, { text: "fine" }]))).toEqual([]);
  });

  test("an answer that ended by itself, or with tool calls, has none", async () => {
    expect(warningsOf(await runTurns([{ text: "fin" }]))).toEqual([]);
  });
});
