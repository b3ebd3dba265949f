import { duplicateFlow } from "@/lib/server/flows/commands";
import { route } from "@/lib/server/http/route";

export const POST = route<{ id: string }>(async (viewer, _, { id }) =>
  Response.json(await duplicateFlow(viewer, id), { status: 201 }),
);
