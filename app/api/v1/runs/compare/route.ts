import { z } from "zod";
import { readQuery, route } from "@/lib/server/http/route";
import { compareSteps, readRunIds } from "@/lib/server/runs/read/compare-runs";

const compareSchema = z.object({ runs: z.string().max(1000) });

export const GET = route((viewer, request) => compareSteps(viewer, readRunIds(readQuery(request, compareSchema).runs)));
