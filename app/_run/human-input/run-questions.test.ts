import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it, vi } from "vitest";
import { keepDraft } from "@/app/_ui/draft/kept-drafts";
import { FakeStorage } from "@/app/_ui/draft/testing/fake-storage";
import type { HumanInputRequest } from "@/lib/core/run/events/events";
import { TraceView } from "@/lib/core/trace/model/trace-view";
import { describeEnd } from "./answered-question";
import { RunQuestions } from "./run-questions";

afterEach(() => vi.unstubAllGlobals());

function show(request: HumanInputRequest, number = 1): string {
  const trace = new TraceView();
  trace.questions.set(0, { ...request, at: 0, number });
  return renderToStaticMarkup(createElement(RunQuestions, { runId: "r", trace, heading: "h", className: "" }));
}

const approval = { type: "approval", message: "Go on?", text: "Send 5 letters." } as const;
const call = { type: "tool", message: "Call it?", text: '{"to":"Ann"}', schema: { type: "object" } } as const;

it.each([approval, call])("the $type that a fork requests again is shown, and cannot be edited", (request) => {
  const html = show({ ...request, fixed: true });
  expect(html).toContain("cannot be edited here");
  expect(html).toMatch(/Send 5 letters|Ann/);
  expect(html).not.toContain("<textarea");
  expect(html).toContain("Approve");
});

it.each([approval, call])("another $type can be edited", (request) => {
  expect(show(request)).toContain("<textarea");
});

it("an edited text and a reason are there after a reload, and only for the question that they belong to", () => {
  vi.stubGlobal("localStorage", new FakeStorage());
  const start = { text: approval.text, reason: "" };
  keepDraft("answer.r.1.1", { text: "Send 4 letters.", reason: "Too many." }, start);
  expect(show(approval)).toContain("Send 4 letters.");
  expect(show(approval)).toContain("Too many.");
  expect(show(approval, 2)).not.toContain("Send 4 letters.");
  expect(show({ ...approval, text: "Send 6 letters." })).not.toContain("Send 4 letters.");
});

it("edited arguments are there after a reload", () => {
  vi.stubGlobal("localStorage", new FakeStorage());
  keepDraft("answer.r.1.1.arguments", { to: "Ben" }, { to: '"Ann"' });
  expect(show(call)).toContain("Ben");
});

it.each([
  [approval, "approved", "Ben Ortega approved this."],
  [call, "rejected", "Ben Ortega rejected this."],
  [{ type: "question", message: "Which?" }, "approved", "Ben Ortega answered this."],
  [{ type: "question", message: "Which?" }, "rejected", "Ben Ortega declined this."],
] as const)("names who answered: $2", (request, decision, words) => {
  const question = { ...request, at: 0, number: 3 };
  const node = { id: 1, name: "check", question };
  const answer = { decision, by: "Ben Ortega", at: 1 };
  expect(describeEnd(node, { question, answer })).toBe(words);
  expect(describeEnd(node, { question: { ...question, number: 5 }, answer })).toBe(
    "This no longer waits for an answer.",
  );
  expect(describeEnd(node, { question })).toBe("This no longer waits for an answer.");
});
