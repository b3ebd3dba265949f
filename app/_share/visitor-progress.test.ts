import { expect, test } from "vitest";
import type { VisitorEvent } from "@/lib/core/run/events/visitor-events";
import { addEvent, noProgress } from "./visitor-progress";

const agent = (path: string, status: "RUNNING" | "WAITING" | "SUCCESS" = "RUNNING"): VisitorEvent => ({
  type: "agent",
  path,
  name: path.replace(/^.*\/|#.*$/g, ""),
  status,
});
const text = (path: string, part: string): VisitorEvent => ({ type: "text", path, text: part });
const after = (...events: VisitorEvent[]) => {
  const { agents, texts } = events.reduce(addEvent, noProgress);
  return [agents.map(({ key, status }) => `${key} ${status}`), Object.fromEntries(texts)];
};

test("agents are listed as they begin, each with its last status, and texts grow", () => {
  expect(after(agent("a"), agent("a", "SUCCESS"), agent("b"), text("b", "One "), text("b", "two"))).toEqual([
    ["a SUCCESS", "b RUNNING"],
    { b: "One two" },
  ]);
});

test("an agent at two places of a flow is listed twice, and each writes its own text", () => {
  expect(after(agent("a"), agent("both/a"), text("a", "one"), text("both/a", "two"), agent("a", "SUCCESS"))).toEqual([
    ["a SUCCESS", "both/a RUNNING"],
    { a: "one", "both/a": "two" },
  ]);
});

test("an agent that runs several times is listed once, and works until its last step ends", () => {
  const [first, second] = ["l#1/a", "l#2/a"];
  expect(after(agent(first), agent(second), agent(first, "SUCCESS"))[0]).toEqual(["l/a RUNNING"]);
  expect(after(agent(first), agent(first, "SUCCESS"), agent(second))[0]).toEqual(["l/a RUNNING"]);
  expect(after(agent(first), agent(second), agent(second, "SUCCESS"), agent(first, "SUCCESS"))[0]).toEqual([
    "l/a SUCCESS",
  ]);
});

test("a text is written anew after a restart alone, not after a question", () => {
  expect(after(text("a", "old"), text("b", "kept"), { type: "restart", path: "a" }, text("a", "new"))[1]).toEqual({
    a: "new",
    b: "kept",
  });
  expect(after(agent("a"), text("a", "kept"), agent("a", "WAITING"), agent("a"))[1]).toEqual({ a: "kept" });
});
