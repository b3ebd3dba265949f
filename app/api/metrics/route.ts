import { requireOperator } from "@/lib/server/auth/viewer";
import { route } from "@/lib/server/http/route";
import { readMetrics } from "@/lib/server/metrics/read-metrics";

/** The metrics of this server in the text format of Prometheus. */
export const GET = route(async (viewer) => {
  requireOperator(viewer);
  const { text, contentType } = await readMetrics();
  return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
});
