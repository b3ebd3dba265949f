import "server-only";
import { z } from "zod";

/** Which texts of a shared run are shown; see `SharedTexts`. */
export const sharedTextSchema = z.enum(["inputs", "outputs", "tools"]);

const expiresAt = z.iso.datetime({ offset: true }).optional();

export const flowLinkSchema = z.strictObject({
  /** Missing: it does not expire. */
  expiresAt,
  /** What visitors may start; missing: nothing. */
  runs: z
    .strictObject({
      /** How many runs in all. */
      most: z.int().min(1).max(10_000),
      /** What each may cost, in US dollars. */
      maxCost: z.number().positive().max(1_000),
    })
    .optional(),
});
export type FlowLinkSetting = z.infer<typeof flowLinkSchema>;

export const runLinkSchema = z.strictObject({
  expiresAt,
  texts: z.array(sharedTextSchema).max(3),
});
export type RunLinkSetting = z.infer<typeof runLinkSchema>;

/** A link without its token, which is shown once. Times in milliseconds since the epoch. */
export const shareLinkSchema = z.object({
  id: z.string(),
  /** Null: of the flow. */
  runId: z.string().nullable(),
  texts: z.array(sharedTextSchema),
  /** Null: visitors start no runs. */
  runs: z.object({ most: z.int(), maxCost: z.number(), started: z.int() }).nullable(),
  views: z.int(),
  lastViewedAt: z.number().nullable(),
  createdBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
});
export type ShareLinkDetail = z.infer<typeof shareLinkSchema>;

/** `url`: with the token. */
export const createdLinkSchema = z.object({ id: z.string(), url: z.string() });
export type CreatedLink = z.infer<typeof createdLinkSchema>;
