import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, route } from "@/lib/server/http/route";
import { retryRun } from "@/lib/server/runs/fork";

/** Starts a run that does again what did not succeed; the steps that did are reused. */
export const POST = route<{ id: string }>(async (viewer, request, { id }) =>
  Response.json(await retryRun(viewer, id, readQuery(request, runOperations.retryRun.query)), { status: 202 }),
);
