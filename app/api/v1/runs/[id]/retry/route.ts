import { route } from "@/lib/server/http/route";
import { retryRun } from "@/lib/server/runs/fork";

/** Starts a run that does again what did not succeed; the steps that did are reused. */
export const POST = route<{ id: string }>(async (viewer, _, { id }) =>
  Response.json(await retryRun(viewer, id), { status: 202 }),
);
