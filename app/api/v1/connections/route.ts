import { listConnections } from "@/lib/server/connections/queries";
import { teamRoute } from "@/lib/server/http/route";

/** Every provider with its connection, without keys; for administrators. */
export const GET = teamRoute(async (viewer) => ({ connections: await listConnections(viewer) }));
