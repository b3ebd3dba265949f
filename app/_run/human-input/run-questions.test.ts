import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { HumanInputRequest } from "@/lib/core/run/events/events";
import { TraceView } from "@/lib/core/trace/model/trace-view";
import { RunQuestions } from "./run-questions";

function show(request: HumanInputRequest): string {
  const trace = new TraceView();
  trace.questions.set(0, { ...request, at: 0, number: 1 });
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
