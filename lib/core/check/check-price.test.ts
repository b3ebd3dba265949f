import { describe, expect, test } from "vitest";
import { readSource } from "../source/read-source";
import type { Offer } from "./offer";

const isPriced: Offer["isPriced"] = (model) =>
  model.startsWith("unlisted:") ? null : model.startsWith("openai:") || model.startsWith("demo:");
const text = (limits: string) => `${limits}agents:
  a: { model: "openai:gpt-5" }
  b: { model: "compatible:llama", fallback_model: "openai:gpt-5" }
  c: { model: "demo:x", fallback_model: "compatible:small" }
  d: { model: "unlisted:x" }
groups:
  g: { type: parallel, flow: b | c | pick }
swarms:
  inner: { type: workflow, flow: g }
routers:
  pick: { model: "compatible:router", lanes: { one: { when: "x", flow: d } } }
swarm: { flow: a >> inner }
`;
const checkPrices = (limits: string, offer: Offer) => {
  const source = text(limits);
  return readSource(source, offer)
    .problems.filter(({ code }) => code === "unpriced-model")
    .map(({ severity, range, message }) => [severity, range && source.slice(range.from, range.to), message] as const);
};

describe("a limit of cost and models without a known price", () => {
  test("are a warning at each model, also nested ones, fallbacks and those of routers", () => {
    const problems = checkPrices("limits: { max_cost: 1 }\n", { isPriced });
    expect(problems.map(([severity, text]) => [severity, text])).toEqual([
      ["warning", '"compatible:llama"'],
      ["warning", '"compatible:small"'],
      ["warning", '"compatible:router"'],
    ]);
    expect(problems[0]?.[2]).toBe(
      'The price of "compatible:llama" is not known, so max_cost does not count the calls of agent "b". Set max_tokens under `limits:` too, or choose a model with a known price.',
    );
  });

  test("are a warning where the server sets the limit", () => {
    expect(checkPrices("", { isPriced, costCeiling: 5 })[0]?.[2]).toContain(
      "the server's limit of cost does not count",
    );
  });

  test("are no problem without a limit of cost, or while prices are unknown", () => {
    expect(checkPrices("", { isPriced })).toEqual([]);
    expect(checkPrices("limits: { max_tokens: 1 }\n", { isPriced })).toEqual([]);
    expect(checkPrices("limits: { max_cost: 1 }\n", {})).toEqual([]);
  });
});
