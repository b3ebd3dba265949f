import { z } from "zod";

const whole = (most: number) => z.coerce.number().int().min(1).max(most);

/** The query of the bench pages. */
const querySchema = z.object({
  /** Agents of the flow. */
  n: whole(30_000).catch(1000),
  /** Lines of its text, instead of `n`: about four an agent. */
  lines: whole(120_000).optional().catch(undefined),
  groups: z.literal("1").optional().catch(undefined),
  /** Status changes a second. */
  live: whole(10_000).optional().catch(undefined),
  /** `1`: begins with the middle of the flow at full size instead of with the whole of it. */
  near: z.literal("1").optional().catch(undefined),
});

export interface BenchQuery {
  agents: number;
  groups: boolean;
  live: number;
  near: boolean;
}

/** What a bench page shall show. What cannot be read counts as left out. */
export function readBenchQuery(query: Record<string, string | string[] | undefined>): BenchQuery {
  const { n, lines, groups, live, near } = querySchema.parse(query);
  return {
    agents: lines === undefined ? n : Math.ceil(lines / 4),
    groups: groups === "1",
    live: live ?? 0,
    near: near === "1",
  };
}
