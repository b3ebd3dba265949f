import { route, toJsonResponse } from "@/lib/server/http/route";
import { writeRun } from "@/lib/server/runs/read/run-detail";

export const GET = route<{ id: string }>(async (viewer, _, { id }) => toJsonResponse(await writeRun(viewer, id)));
