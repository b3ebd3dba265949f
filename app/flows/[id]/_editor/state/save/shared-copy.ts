import * as z from "zod/mini";

/** A shared document as a browser keeps it: with changes that the server may not have. */
export const sharedCopySchema = z.object({
  lineage: z.string(),
  /** All of it, as one update. */
  state: z.instanceof(Uint8Array),
  /** The id of the document that wrote this user's changes. */
  client: z.int(),
});
export type SharedCopy = z.infer<typeof sharedCopySchema>;
