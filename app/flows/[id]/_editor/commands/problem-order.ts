import type { Problem, Severity } from "@/lib/core/flow/problem";

const order: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

export const sortProblems = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((a, b) => order[a.severity] - order[b.severity]);

/** Identifies a problem while the text changes elsewhere. */
export const problemId = ({ code, message, range }: Problem): string => `${code} ${range?.from ?? ""} ${message}`;

/** Wraps around; without a current problem it starts at the first, or at the last when going back. */
export function stepProblem(problems: readonly Problem[], current: string | null, step: 1 | -1): Problem | null {
  const sorted = sortProblems(problems);
  const currentIndex = sorted.findIndex((problem) => problemId(problem) === current);
  const next =
    currentIndex < 0 ? (step > 0 ? 0 : sorted.length - 1) : (currentIndex + step + sorted.length) % sorted.length;
  return sorted[next] ?? null;
}

export const fixesLike = (problems: readonly Problem[], { code }: Problem): Problem[] =>
  problems.filter((problem) => problem.code === code && problem.fix);

export function countProblems(problems: readonly Problem[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity]++;
  return counts;
}
