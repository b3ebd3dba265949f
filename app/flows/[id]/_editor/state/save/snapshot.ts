import * as z from "zod/mini";
import { layoutSchema, sameLayout } from "@/lib/core/flow/edit";

export const snapshotSchema = z.object({ source: z.string(), layout: layoutSchema });
export type Snapshot = z.infer<typeof snapshotSchema>;

/** What the server stores at a revision. */
export const theirsSchema = z.extend(snapshotSchema, { revision: z.string() });
export type Theirs = z.infer<typeof theirsSchema>;

export const sameSnapshot = (a: Snapshot, b: Snapshot): boolean =>
  a.source === b.source && sameLayout(a.layout, b.layout);
