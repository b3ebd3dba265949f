import { expect, test } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import { VisitorStream } from "./visitor-stream";

type Unnumbered<T = RunEvent> = T extends RunEvent ? Omit<T, "seq" | "at"> : never;

const input = { text: "" };
const agent = (id: number, path: string): Unnumbered => ({
  ...{ type: "node.started", id, path, kind: "agent", name: path.replace(/^.*\//, ""), input },
});
const call = (id: number, parent: number, path: string): Unnumbered => ({
  ...{ type: "node.started", id, parent, path, kind: "llm_call", name: "m", input },
});
const text = (id: number, part: string): Unnumbered => ({ type: "text.appended", id, text: part });
const failure = (id: number, waitMs?: number): Unnumbered => ({
  ...{ type: "attempt.failed", id, attempt: 1, error: { code: "interrupted", message: "stopped" } },
  ...(waitMs !== undefined && { waitMs }),
});

/** The events that a visitor reads, each as one text. */
function read(answerPaths: readonly string[], ...events: Unnumbered[]): string[] {
  const stream = new VisitorStream(answerPaths);
  return events
    .flatMap((event, index) => stream.take({ ...event, seq: index + 1, at: index }))
    .map((event) => [event.type, event.path, ...(event.type === "text" ? [event.text] : [])].join(" "));
}

test("a text is that of a path, not of every step of the same agent", () => {
  const steps = [agent(1, "both/a"), call(2, 1, "both/a#llm-1"), agent(3, "a"), call(4, 3, "a#llm-1")];
  const events = [...steps, text(2, "a draft"), failure(2, 0), text(4, "the answer")];
  const agents = ["agent both/a", "agent a"];
  expect(read(["a"], ...events)).toEqual([...agents, "text a the answer"]);
  expect(read(["both/a"], ...events)).toEqual([...agents, "text both/a a draft", "restart both/a"]);
});

test("an attempt that failed takes back its text", () => {
  const steps = [agent(1, "a"), call(2, 1, "a#llm-1")];
  expect(read(["a"], ...steps, text(2, "Half an ans"), failure(2, 0), text(2, "The whole answer."))).toEqual([
    "agent a",
    "text a Half an ans",
    "restart a",
    "text a The whole answer.",
  ]);
});

test.each(["a#llm-1#fallback", "a#llm-2"])("the call %s takes back the text of the one before it", (path) => {
  const steps = [agent(1, "a"), call(2, 1, "a#llm-1"), text(2, "Half"), call(3, 1, path)];
  expect(read(["a"], ...steps, text(3, "The whole"), text(3, " answer."))).toEqual([
    "agent a",
    "text a Half",
    "restart a",
    "text a The whole",
    "text a  answer.",
  ]);
});

test("rounds and visits are no last steps", () => {
  expect(read(["a"], agent(1, "a#2"), call(2, 1, "a#2#llm-1"), text(2, "a draft"))).toEqual(["agent a#2"]);
});
