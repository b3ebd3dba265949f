import { expect, it } from "vitest";
import type { Problem, Severity } from "@/lib/core/flow/problem";
import { summarizeProblems } from "./summarize-problems";

const problem = (severity: Severity): Problem => ({ code: "missing-key", severity, message: "A model is missing." });

it.each<[Severity[], string, string, number]>([
  [[], "No problems", "success", 0],
  [["info"], "No problems", "success", 0],
  [["warning", "info"], "1 warning", "warning", 1],
  [["error", "error"], "2 errors", "danger", 2],
  [["warning", "error", "warning"], "1 error, 2 warnings", "danger", 1],
])("summarizes %j as %s", (severities, text, tone, gravest) => {
  expect(summarizeProblems(severities.map(problem))).toEqual({ text, tone, gravest });
});
