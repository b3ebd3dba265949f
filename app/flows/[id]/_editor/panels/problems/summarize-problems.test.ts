import { expect, it } from "vitest";
import type { Problem, Severity } from "@/lib/core/flow/problem";
import { summarizeProblems } from "./summarize-problems";

const problem = (severity: Severity): Problem => ({ code: "missing-key", severity, message: "A model is missing." });

it.each<[Severity[], string, string]>([
  [[], "No problems", "success"],
  [["info"], "No problems", "success"],
  [["warning", "info"], "1 problem", "warning"],
  [["warning", "error"], "2 problems", "danger"],
])("summarizes %j as %s", (severities, text, tone) => {
  expect(summarizeProblems(severities.map(problem))).toEqual({ text, tone });
});
