import { assertAddressed } from "@/lib/server/auth/addressed";
import { getHealth } from "@/lib/server/health";
import { publicRoute } from "@/lib/server/http/route";

/** Whether this server can do its work: 200 `{status: "ok", …}`, else 503. */
export const GET = publicRoute(async ({ headers }) => {
  assertAddressed(headers);
  const health = await getHealth();
  return Response.json(health, { status: health.status === "ok" ? 200 : 503 });
});
