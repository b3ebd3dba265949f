import { mistakesOf, type Problem } from "@/lib/core/flow/problem";
import { countProblems } from "../../commands/problem-order";
import { describeProblemCount } from "../outline/describe-row";

export type ProblemTone = "success" | "warning" | "danger";

interface ProblemSummary {
  text: string;
  tone: ProblemTone;
  /** How many there are of the gravest. */
  gravest: number;
}

/** `1 error, 6 warnings`; notes count as none. */
export function summarizeProblems(problems: readonly Problem[]): ProblemSummary {
  const { error: errors, warning: warnings } = countProblems(mistakesOf(problems));
  const text = describeProblemCount({ errors, warnings });
  if (errors > 0) return { text, tone: "danger", gravest: errors };
  return warnings > 0
    ? { text, tone: "warning", gravest: warnings }
    : { text: "No problems", tone: "success", gravest: 0 };
}
