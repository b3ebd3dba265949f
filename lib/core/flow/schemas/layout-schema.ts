import * as z from "zod/mini";
import { notesSchema } from "./note-schema";

export const pinSchema = z.strictObject({ dx: z.number(), dy: z.number() });

export const layoutSchema = z.strictObject({
  pins: z.record(z.string(), pinSchema),
  direction: z.optional(z.enum(["right", "down"])),
  notes: z.optional(notesSchema),
  folded: z.optional(z.readonly(z.array(z.string()))),
  fit: z.optional(
    z.strictObject({
      direction: z.optional(z.enum(["right", "down"])),
      density: z.optional(z.enum(["full", "compact"])),
      wrap: z.optional(z.number().check(z.positive())),
      waitingColumns: z.optional(z.int().check(z.positive())),
    }),
  ),
});
