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

const sampleSchema = z.object({ flow: z.enum(["sample", "empty", "broken"]).optional().catch(undefined) });

export interface RunCanvasQuery extends BenchQuery {
  /** Which flow, instead of one of that size. */
  flow: "sample" | "empty" | "broken" | null;
}

/** What the page of a run's canvas shall show. */
export const readRunCanvasQuery = (query: Record<string, string | string[] | undefined>): RunCanvasQuery => ({
  ...readBenchQuery(query),
  flow: sampleSchema.parse(query).flow ?? null,
});

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

const timelineSchema = z.object({
  /** Spans of the run. */
  n: whole(200_000).catch(10_000),
  /** Spans that come each second. */
  live: whole(10_000).optional().catch(undefined),
});

export interface TimelineQuery {
  spans: number;
  live: number;
}

/** What the page of a large run shall show. */
export function readTimelineQuery(query: Record<string, string | string[] | undefined>): TimelineQuery {
  const { n, live = 0 } = timelineSchema.parse(query);
  return { spans: n, live };
}
