import { readJson } from "@/lib/server/http/read-request";
import { route } from "@/lib/server/http/route";
import { sendTestSpan } from "@/lib/server/trace-export/commands";
import { traceExportSchema } from "@/lib/server/trace-export/trace-export-setting";

/** Sends one span with the setting of the body, which is not saved; answers with what came back. For administrators. */
export const POST = route(async (viewer, request) =>
  Response.json(await sendTestSpan(viewer, await readJson(request, traceExportSchema))),
);
