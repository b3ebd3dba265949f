import { listConnections } from "@/lib/server/connections/queries";
import { route } from "@/lib/server/http/route";

/** Every provider with its connection, without keys; for administrators. */
export const GET = route(async (viewer) => ({ connections: await listConnections(viewer) }));
