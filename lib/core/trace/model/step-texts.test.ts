import { describe, expect, test } from "vitest";
import { sampleNode } from "../testing/run.samples";
import { payloadLimit, textFields, textOf, truncateFacts, truncateNodeTexts, truncatePayload } from "./step-texts";

const long = "x".repeat(payloadLimit + 1);
const cut = { text: long.slice(0, payloadLimit), length: long.length };

describe("texts of a step", () => {
  test("a text at the limit stays, one above it is cut with its length", () => {
    const atLimit = { text: "x".repeat(payloadLimit) };
    expect(truncatePayload(atLimit)).toBe(atLimit);
    expect(truncatePayload({ text: long })).toEqual(cut);
    expect(truncatePayload({ text: long, length: 99_999 })).toEqual({ ...cut, length: 99_999 });
  });

  test("all large texts of a step are cut, the step itself stays whole", () => {
    const request = { provider: "x", url: "u", body: { text: long } };
    const texts = {
      input: { text: long },
      output: { text: "short" },
      reasoning: long,
      response: { text: long },
      request,
    };
    const node = sampleNode(1, "llm_call", texts);
    const short = truncateNodeTexts(node);
    expect(short).toMatchObject({
      input: cut,
      output: { text: "short" },
      response: cut,
      request: { url: "u", body: cut },
    });
    expect([short.reasoning.length, short.reasoningLength]).toEqual([payloadLimit, long.length]);
    expect(node.input.text).toBe(long);
    expect(truncateNodeTexts(sampleNode(1, "agent"))).not.toHaveProperty("reasoningLength");
  });

  test("each field has its text; a text that the step does not have is empty", () => {
    const node = sampleNode(1, "agent", { input: { text: "in" }, output: { text: "out" }, reasoning: "why" });
    expect(textFields.map((field) => textOf(node, field).text)).toEqual(["in", "out", "", "", "why"]);
    expect(textOf({ ...node, reasoningLength: 7 }, "reasoning")).toEqual({ text: "why", length: 7 });
  });
});

describe("facts that are too large", () => {
  test("lose their value and schema, and are marked as cut", () => {
    expect(truncateFacts({ value: 1, schema: {}, steps: 2, model: null })).toEqual({
      steps: 2,
      model: null,
      cut: true,
    });
  });

  test("one long text is cut to 1,000 characters, at any depth", () => {
    const facts = truncateFacts({ toolCalls: [{ name: "write", arguments: "a".repeat(5000) }] });
    expect(facts.toolCalls).toEqual([{ name: "write", arguments: `${"a".repeat(1000)}…` }]);
  });

  test.each([
    ["many texts", Array.from({ length: 1000 }, () => "b".repeat(900))],
    ["many small values", Array.from({ length: 100_000 }, (_, index) => index)],
    ["many names", Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, true]))],
  ])("%s are bounded", (_, fact) => {
    expect(JSON.stringify(truncateFacts({ fact })).length).toBeLessThan(20_000);
  });
});
