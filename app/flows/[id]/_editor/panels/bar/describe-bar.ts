import type { FlowBarContent } from "./flow-bar";

/** The elements of the bar that speak of each other. */
export const barId = "dsl-bar";
export const refusalId = "dsl-problems";
export const mistakeId = "dsl-mistake";

/** The first mistake of form in a line that somebody is writing; null when there is none, or when it was refused already. */
export function findMistake({ line, text, problems, refused }: FlowBarContent): string | null {
  if (line === text || refused.length > 0) return null;
  return problems.find(({ severity }) => severity === "error")?.message ?? null;
}

/** What assistive technology is told of the place where one writes. */
export function describeBar(look: FlowBarContent) {
  const reason = look.refused.length > 0 ? refusalId : findMistake(look) === null ? null : mistakeId;
  return {
    id: barId,
    "aria-label": look.owner === null ? "Flow" : `Flow of ${look.owner}`,
    "aria-invalid": reason === null ? "false" : "true",
    ...(reason !== null && { "aria-describedby": reason }),
  } as const;
}
