import * as z from "zod/mini";

const trashedFlowSchema = z.object({
  id: z.string(),
  name: z.string(),
  agents: z.number(),
  runs: z.number(),
  deletedAt: z.number(),
  purgeAt: z.number(),
});

/** What the API answers about the trash. */
export const trashSchema = z.object({ flows: z.array(trashedFlowSchema) });
