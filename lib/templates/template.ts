import * as z from "zod/mini";
import type { FlowThumbnail } from "@/lib/core/layout/thumbnail/thumbnail";
import { templateUses } from "./catalog";

/** An example flow in a gallery. */
export const templateSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** Its description, else the comment at the top of its text. */
  about: z.string(),
  source: z.string(),
  agents: z.int(),
  picture: z.custom<FlowThumbnail>(),
  /** Null: it shows one construct. */
  use: z.nullable(z.enum(templateUses)),
  /** What it is tried on. */
  input: z.string(),
});
export type Template = z.infer<typeof templateSchema>;
