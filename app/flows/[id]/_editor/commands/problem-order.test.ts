import { describe, expect, it } from "vitest";
import type { Problem } from "@/lib/core/flow/problem";
import { countProblems, fixesLike, problemId, sortProblems, stepProblem } from "./problem-order";

const fix = { title: "Mend", changes: [] };
const problems: Problem[] = [
  { code: "not-reached", severity: "warning", message: "w", range: { from: 1, to: 2 } },
  { code: "not-an-arrow", severity: "error", message: "e1", range: { from: 3, to: 4 }, fix },
  { code: "not-an-arrow", severity: "error", message: "e2", range: { from: 5, to: 6 }, fix },
  { code: "not-an-arrow", severity: "error", message: "e3", range: { from: 7, to: 8 } },
];
const step = (current: Problem | null, by: 1 | -1) => stepProblem(problems, current && problemId(current), by)?.message;

describe("problems", () => {
  it("come worst first, and in the order of the text", () => {
    expect(sortProblems(problems).map(({ message }) => message)).toEqual(["e1", "e2", "e3", "w"]);
    expect(countProblems(problems)).toEqual({ error: 3, warning: 1, info: 0 });
  });

  it("are walked through round and round, both ways, also when the one at hand is gone", () => {
    const [w = null, e1 = null] = problems;
    expect([step(null, 1), step(e1, 1), step(w, 1)]).toEqual(["e1", "e2", "e1"]);
    expect([step(null, -1), step(e1, -1)]).toEqual(["w", "w"]);
    expect(step({ code: "cycle", severity: "error", message: "gone" }, 1)).toBe("e1");
    expect(stepProblem([], null, 1)).toBeNull();
  });

  it("of one kind can be mended together when they have a fix", () => {
    expect(problems[1] && fixesLike(problems, problems[1]).map(({ message }) => message)).toEqual(["e1", "e2"]);
  });
});
