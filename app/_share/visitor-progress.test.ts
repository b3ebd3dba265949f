import { expect, test } from "vitest";
import type { VisitorEvent } from "@/lib/core/run/events/visitor-events";
import { addEvent, noProgress } from "./visitor-progress";

const agent = (name: string, status: "RUNNING" | "WAITING" | "SUCCESS" = "RUNNING"): VisitorEvent => ({
  type: "agent",
  name,
  status,
});
const text = (name: string, part: string): VisitorEvent => ({ type: "text", agent: name, text: part });
const after = (...events: VisitorEvent[]) => {
  const { agents, texts } = events.reduce(addEvent, noProgress);
  return [agents.map(({ name, status }) => `${name} ${status}`), Object.fromEntries(texts)];
};

test("agents are listed as they begin, each with its last status, and texts grow", () => {
  expect(after(agent("a"), agent("a", "SUCCESS"), agent("b"), text("b", "One "), text("b", "two"))).toEqual([
    ["a SUCCESS", "b RUNNING"],
    { b: "One two" },
  ]);
});

test("an agent that begins again writes anew, and one that goes on after a question does not", () => {
  expect(after(agent("a"), text("a", "old"), agent("a", "SUCCESS"), agent("a"), text("a", "new"))[1]).toEqual({
    a: "new",
  });
  expect(after(agent("a"), text("a", "kept"), agent("a", "WAITING"), agent("a"))[1]).toEqual({ a: "kept" });
});
