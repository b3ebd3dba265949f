import * as z from "zod/mini";
import { runStatusSchema } from "../../run/events/events";

/** What many runs come to. */
const runTotalsSchema = z.object({
  runs: z.number(),
  byStatus: z.record(runStatusSchema, z.number()),
  /** US dollars of the runs whose cost is known. */
  cost: z.number(),
  /** Runs whose cost is unknown. */
  unpriced: z.number(),
  /** Runs of which only a part of the cost is known, which is in `cost`. */
  partlyPriced: z.number(),
  tokens: z.number(),
  /** Of the runs that began and ended, in milliseconds, by nearest rank; null when there is none. */
  medianMs: z.nullable(z.number()),
  p95Ms: z.nullable(z.number()),
  /** Failed and timed out, among those that succeeded, failed or timed out; null when there is none. */
  failureRate: z.nullable(z.number()),
});
export type RunTotals = z.infer<typeof runTotalsSchema>;

/** The runs of one calendar day, by when they were created. `date`: `2026-01-31`. */
const runDaySchema = z.extend(runTotalsSchema, { date: z.string() });
export type RunDay = z.infer<typeof runDaySchema>;

export const runSumsSchema = z.object({
  totals: runTotalsSchema,
  /** Oldest first and without gaps, from the first to the last day with a run; at most the latest 92. */
  days: z.array(runDaySchema),
  /** The days do not reach back to the first run. */
  daysCut: z.boolean(),
  /** Runs whose stored records are damaged. They are in no other number. */
  unreadable: z.number(),
});
export type RunSums = z.infer<typeof runSumsSchema>;
