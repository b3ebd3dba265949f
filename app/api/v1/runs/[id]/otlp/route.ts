import { z } from "zod";
import { readQuery, route, toDownload } from "@/lib/server/http/route";
import { exportTrace } from "@/lib/server/runs/read/export-run";

/** `?content=1`: with the texts of the steps. */
const querySchema = z.object({ content: z.enum(["0", "1"]).default("0") });

/** A run as an OTLP/JSON file, as trace viewers import it. */
export const GET = route<{ id: string }>(async (viewer, request, { id }) => {
  const { content } = readQuery(request, querySchema);
  return toDownload(await exportTrace(viewer, id, { content: content === "1" }));
});
