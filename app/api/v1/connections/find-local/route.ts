import { findLocalServers } from "@/lib/server/connections/find-local";
import { teamRoute } from "@/lib/server/http/route";

/** Model servers that answer on this machine at their usual ports. For administrators. */
export const POST = teamRoute(async (viewer, request) => ({ servers: await findLocalServers(viewer, request.signal) }));
