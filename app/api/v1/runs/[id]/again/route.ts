import { route } from "@/lib/server/http/route";
import { runAgain } from "@/lib/server/runs/commands";

/** Starts the same revision on the same input as a run of its own. */
export const POST = route<{ id: string }>(async (viewer, _, { id }) =>
  Response.json(await runAgain(viewer, id), { status: 202 }),
);
