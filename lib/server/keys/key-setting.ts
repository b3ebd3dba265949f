import "server-only";
import { z } from "zod";
import { permissions } from "../auth/permissions";
import { nameSchema } from "../name-schema";

/** What an API key is made with. */
export const keySchema = z.strictObject({
  name: nameSchema,
  /** What it may do, at most what its creator may. */
  scopes: z
    .array(z.enum(permissions))
    .min(1)
    .max(permissions.length)
    .transform((scopes) => [...new Set(scopes)]),
  /** Missing: it does not expire. */
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});
export type KeySetting = z.infer<typeof keySchema>;

/** An API key as lists show it, without its secret. Moments are milliseconds since the epoch. */
export const keyDetailSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(permissions)),
  /** The last four characters of its secret. */
  lastFour: z.string(),
  createdBy: z.string(),
  createdAt: z.number(),
  expiresAt: z.number().nullable(),
  /** At most a minute old; null: it was not used yet. */
  lastUsedAt: z.number().nullable(),
});
export type KeyDetail = z.infer<typeof keyDetailSchema>;

/** A new key. The secret is readable here only. */
export const createdKeySchema = z.object({ id: z.string(), secret: z.string() });
