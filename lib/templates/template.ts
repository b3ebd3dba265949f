import * as z from "zod/mini";

/** An example flow in a gallery. */
export const templateSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** The comment at the top of its text. */
  about: z.string(),
  source: z.string(),
});
export type Template = z.infer<typeof templateSchema>;
