import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noUsage } from "../../run/events/usage";
import { sampleNode } from "../testing/run.samples";
import { toFirstTokenMs, toTokenClasses, toTokensPerSecond } from "./call-metrics";
import type { RunNode } from "./run-state";

const call = sampleNode(3, "llm_call", {
  startedAt: 1000,
  firstTokenAt: 4000,
  endedAt: 6000,
  usage: { ...noUsage, input: 10, output: 80 },
});
const request = { provider: "p", url: "u", body: { text: "" } };

describe("toFirstTokenMs", () => {
  test("counts from the request that was answered", () => {
    expect(toFirstTokenMs({ ...call, request: { ...request, at: 3500 } })).toBe(500);
    expect(toFirstTokenMs({ ...call, request })).toBe(3000);
    expect(toFirstTokenMs({ ...call, firstTokenAt: undefined })).toBeNull();
    expect(toFirstTokenMs({ ...call, request: { ...request, at: 9000 } })).toBe(0);
  });
});

describe("toTokensPerSecond", () => {
  test("is the output over the time of speaking", () => {
    expect(toTokensPerSecond(call)).toBe(40);
  });

  test.each<[string, Partial<RunNode>]>([
    ["it still runs", { endedAt: undefined }],
    ["it never spoke", { firstTokenAt: undefined }],
    ["all of it came at once", { firstTokenAt: 6000 }],
    ["nothing was counted", { usage: noUsage }],
    ["it is no model call", { kind: "agent" }],
  ])("is not known when %s", (_, change) => {
    expect(toTokensPerSecond({ ...call, ...change })).toBeNull();
  });
});

test("property: the four classes add up to all tokens, and none is negative", () => {
  const count = fc.nat(1000);
  fc.assert(
    fc.property(count, count, count, count, (input, cached, output, reasoning) => {
      const classes = toTokenClasses({ ...noUsage, input, cached, output, reasoning });
      expect(classes.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(input + output);
      expect(classes.every(({ tokens }) => tokens >= 0)).toBe(true);
    }),
  );
});
