import "server-only";
import { z } from "zod";

/** Which runs of a team are deleted as time passes. */
export const retentionSchema = z.strictObject({
  enabled: z.boolean(),
  /** Runs that ended more than so many days ago are deleted. */
  days: z.number().int().min(1).max(3_650),
  /** So many of each flow's newest runs stay, however old. */
  keep: z.number().int().min(0).max(10_000),
});
export type RetentionSetting = z.infer<typeof retentionSchema>;

/** Before anything was set. */
export const defaultRetention: RetentionSetting = { enabled: false, days: 90, keep: 10 };

/** Of the setting what its page shows. Moments are milliseconds since the epoch. */
export interface RetentionDetail extends RetentionSetting {
  /** When runs were last looked at, and how many were deleted then. */
  lastAt: number | null;
  lastDeleted: number;
}

/** What a setting would delete now. */
export interface RetentionPreview {
  runs: number;
  /** Of all runs of the team. */
  allRuns: number;
  /** When the first and the last of them was created; null where there is none. */
  oldest: number | null;
  newest: number | null;
  /** The flows with most of them. */
  flows: { id: string; name: string; runs: number }[];
}
