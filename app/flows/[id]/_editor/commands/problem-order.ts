import type { Problem, Severity } from "@/lib/core/flow/problem";

const order: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/** The problems as people go through them: worst first, then in the order of the text. */
export const sortProblems = (problems: readonly Problem[]): Problem[] =>
  problems.toSorted((a, b) => order[a.severity] - order[b.severity]);

/** What a problem is known by while the text changes elsewhere. */
export const problemId = ({ code, message, range }: Problem): string => `${code} ${range?.from ?? ""} ${message}`;

/** The problem after (or before) the one at hand, round and round; the first (or last) when none is. */
export function stepProblem(problems: readonly Problem[], current: string | null, step: 1 | -1): Problem | null {
  const sorted = sortProblems(problems);
  const currentIndex = sorted.findIndex((problem) => problemId(problem) === current);
  const next =
    currentIndex < 0 ? (step > 0 ? 0 : sorted.length - 1) : (currentIndex + step + sorted.length) % sorted.length;
  return sorted[next] ?? null;
}

/** The problems of the same code that have a fix too, the problem itself among them. */
export const fixesLike = (problems: readonly Problem[], { code }: Problem): Problem[] =>
  problems.filter((problem) => problem.code === code && problem.fix);

/** How many problems there are of each severity. */
export function countProblems(problems: readonly Problem[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };
  for (const { severity } of problems) counts[severity]++;
  return counts;
}
