import { assertAddressed } from "@/lib/server/auth/addressed";
import { publicRoute } from "@/lib/server/http/route";
import { getReadiness } from "@/lib/server/readiness";

/** Whether this server may get requests: 200 `{status: "ready"}`, else 503 with the reason. */
export const GET = publicRoute(async ({ headers }) => {
  assertAddressed(headers);
  const readiness = await getReadiness();
  return readiness.status === "ready"
    ? Response.json(readiness)
    : Response.json(readiness, { status: 503, headers: { "retry-after": "2" } });
});
