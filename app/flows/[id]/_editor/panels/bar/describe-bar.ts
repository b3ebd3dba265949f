import type { FlowBarContent } from "./flow-bar";

export const barId = "dsl-bar";
export const refusalId = "dsl-problems";
export const mistakeId = "dsl-mistake";

export function findMistake({ line, text, problems, refused }: FlowBarContent): string | null {
  if (line === text || refused.length > 0) return null;
  return problems.find(({ severity }) => severity === "error")?.message ?? null;
}

export function describeBar(look: FlowBarContent) {
  const reason = look.refused.length > 0 ? refusalId : findMistake(look) === null ? null : mistakeId;
  return {
    id: barId,
    "aria-label": look.owner === null ? "Flow" : `Flow of ${look.owner}`,
    "aria-invalid": reason === null ? "false" : "true",
    ...(reason !== null && { "aria-describedby": reason }),
  } as const;
}
