import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { saveTraceExport } from "@/lib/server/trace-export/commands";
import { findTraceExport } from "@/lib/server/trace-export/queries";

/** Where the team's runs are sent as traces, `null` before it is set; for administrators. */
export const GET = teamRoute(findTraceExport);

export const PUT = teamRoute(async (viewer, request) =>
  saveTraceExport(viewer, await readJson(request, teamOperations.saveTraceExport.body)),
);
