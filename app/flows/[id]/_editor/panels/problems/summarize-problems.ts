import { countNouns } from "@/app/_ui/format/count-nouns";
import type { Problem } from "@/lib/core/flow/problem";

export type ProblemTone = "success" | "warning" | "danger";

/** The problems in two words, and how grave the gravest is; notes count as none. */
export function summarizeProblems(problems: readonly Problem[]): { text: string; tone: ProblemTone } {
  const graveProblems = problems.filter(({ severity }) => severity !== "info");
  if (graveProblems.length === 0) return { text: "No problems", tone: "success" };
  const hasError = graveProblems.some(({ severity }) => severity === "error");
  return { text: countNouns(graveProblems.length, "problem"), tone: hasError ? "danger" : "warning" };
}
