import { readJson } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { saveTraceExport } from "@/lib/server/trace-export/commands";
import { findTraceExport } from "@/lib/server/trace-export/queries";
import { traceExportSchema } from "@/lib/server/trace-export/trace-export-setting";

/** Where the team's runs are sent as traces, `null` before it is set; for administrators. */
export const GET = route(async (viewer) => Response.json(await findTraceExport(viewer)));

export const PUT = route(async (viewer, request) =>
  Response.json(await saveTraceExport(viewer, await readJson(request, traceExportSchema))),
);
