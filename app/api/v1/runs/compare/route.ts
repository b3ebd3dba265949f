import { z } from "zod";
import { readQuery } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { compareSteps, readRunIds } from "@/lib/server/runs/read/compare-runs";

const compareSchema = z.object({ runs: z.string().max(1000) });

export const GET = route(async (viewer, request) =>
  Response.json(await compareSteps(viewer, readRunIds(readQuery(request, compareSchema).runs))),
);
