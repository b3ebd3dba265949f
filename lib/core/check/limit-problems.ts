import type { Problem } from "../flow/problem";

/** Problems of one code that are listed. */
export const maxProblemsOfCode = 200;

/**
 * The first problems of each code: no one reads 40,000, and each one takes time and room. The last one tells that there are
 * more. Every code that occurs is there, so that nothing counts as free of it. Problems that are joined later are kept.
 */
export function limitProblems<Item extends Problem>(problems: readonly Item[]): Item[] {
  const counts = new Map<string, number>();
  return problems.flatMap((problem) => {
    const { code, message } = problem;
    if (code === "missing-key") return problem;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > maxProblemsOfCode) return [];
    if (count < maxProblemsOfCode || message.endsWith(moreSentence)) return problem;
    return { ...problem, message: `${message}${moreSentence}` };
  });
}

const moreSentence = ` At most ${maxProblemsOfCode} problems of this kind are listed.`;
