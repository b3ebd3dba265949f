import "server-only";
import { z } from "zod";
import { nameSchema } from "../name-schema";
import type { LastRun } from "../runs/read/last-runs";

/**
 * What happens with times that passed while no server was there: no run, one run for all of them, or one for each of the
 * newest 100.
 */
export const missedPolicies = ["skip", "once", "each"] as const;
export type MissedPolicy = (typeof missedPolicies)[number];

export const scheduleTimesSchema = z.strictObject({
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: z.string().max(200),
  /** Name of the IANA time zone database. */
  timeZone: z.string().max(100),
});
export type ScheduleTimes = z.infer<typeof scheduleTimesSchema>;

export const scheduleSchema = scheduleTimesSchema.extend({
  /** Id of the flow; its newest revision runs. */
  flow: z.string().max(100),
  name: nameSchema,
  input: z.string().max(500_000),
  missed: z.enum(missedPolicies).default("once"),
  /** Whether a run begins while the one before is under way. */
  overlap: z.boolean().default(false),
  enabled: z.boolean().default(true),
});
export type ScheduleSetting = z.infer<typeof scheduleSchema>;

/** A schedule as lists show it. Moments are milliseconds since the epoch. */
export interface ScheduleDetail extends ScheduleSetting {
  id: string;
  flowName: string;
  /** Why its stored record cannot be read: it starts no runs then, and has no next time. Null: it can be read. */
  problem: string | null;
  /** Its times in words. */
  description: string;
  /** Null: it is switched off, or there is no such time any more. */
  nextAt: number | null;
  /** The newest time that was dealt with; null before the first. */
  lastAt: number | null;
  lastRun: LastRun | null;
  /** Why no run was started at that time. */
  lastProblem: string | null;
}

/** What a schedule would do, before it is saved. */
export interface SchedulePreview {
  description: string;
  times: number[];
}
