import * as z from "zod/mini";

const sentClocksSchema = z.object({
  client: z.int(),
  sent: z.int(),
  confirmed: z.int(),
  ends: z.optional(z.readonly(z.array(z.int()))),
});

/** A shared document as a browser keeps it: with changes that the server may not have. */
export const sharedCopySchema = z.object({
  lineage: z.string(),
  /** All of it, as one update. */
  state: z.instanceof(Uint8Array),
  /** The id of the document that wrote this user's changes. */
  client: z.int(),
  /** How much of what it and the documents before it wrote the server may have; missing: all of it. */
  own: z.optional(z.array(sentClocksSchema)),
  /** Whether the server may have what was deleted in it. */
  hasDeleted: z.optional(z.boolean()),
});
export type SharedCopy = z.infer<typeof sharedCopySchema>;
