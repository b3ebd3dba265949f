import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { sendTestSpan } from "@/lib/server/trace-export/commands";

/** Sends one span with the setting of the body, which is not saved; answers with what came back. For administrators. */
export const POST = teamRoute(async (viewer, request) =>
  sendTestSpan(viewer, await readJson(request, teamOperations.testTraceExport.body)),
);
