import { stepOperations } from "@/lib/server/api/step-operations";
import { readQuery, route, toDownload } from "@/lib/server/http/route";
import { exportTrace } from "@/lib/server/runs/read/export-run";

/** A run as an OTLP/JSON file, as trace viewers import it. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const { content } = readQuery(request, stepOperations.exportTrace.query);
  return toDownload(await exportTrace(viewer, id, { content: content === "1" }));
});
