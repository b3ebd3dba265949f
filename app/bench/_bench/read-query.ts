import { z } from "zod";

const whole = (most: number) => z.coerce.number().int().min(1).max(most);

const querySchema = z.object({
  n: whole(30_000).catch(1000),
  lines: whole(120_000).optional().catch(undefined),
  groups: z.literal("1").optional().catch(undefined),
  live: whole(10_000).optional().catch(undefined),
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
  flow: "sample" | "empty" | "broken" | null;
}

export const readRunCanvasQuery = (query: Record<string, string | string[] | undefined>): RunCanvasQuery => ({
  ...readBenchQuery(query),
  flow: sampleSchema.parse(query).flow ?? null,
});

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
  n: whole(200_000).catch(10_000),
  live: whole(10_000).optional().catch(undefined),
});

export interface TimelineQuery {
  spans: number;
  live: number;
}

export function readTimelineQuery(query: Record<string, string | string[] | undefined>): TimelineQuery {
  const { n, live = 0 } = timelineSchema.parse(query);
  return { spans: n, live };
}
