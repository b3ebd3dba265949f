import { expect, it } from "vitest";
import { readSource } from "../read-source";
import { compareFlows } from "./compare-flows";

const flowOf = (agents: string, more = "") => readSource(`agents: { ${agents} }\n${more}swarm: { flow: a }\n`).flow;

it("names what was added, removed and changed", () => {
  const before = flowOf("a: { model: demo:x }, b: { model: demo:x }, c: { model: demo:x }");
  const after = flowOf("a: { model: demo:x }, c: { model: demo:y }, d: { model: demo:x }");
  expect([...compareFlows(before, after)]).toEqual([
    ["b", "removed"],
    ["c", "changed"],
    ["d", "added"],
  ]);
  expect(compareFlows(before, before).size).toBe(0);
});

it("sees changes in lanes of routers", () => {
  const router = (when: string) =>
    flowOf("a: { model: demo:x }", `routers: { r: { lanes: { one: { when: ${when}, flow: a } } } }\n`);
  expect([...compareFlows(router("early"), router("late"))]).toEqual([["r", "changed"]]);
});
