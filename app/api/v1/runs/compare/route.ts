import { runOperations } from "@/lib/server/api/run-operations";
import { readQuery, route } from "@/lib/server/http/route";
import { compareSteps, readRunIds } from "@/lib/server/runs/read/compare-runs";

export const GET = route((viewer, request) =>
  compareSteps(viewer, readRunIds(readQuery(request, runOperations.compareRuns.query).runs)),
);
