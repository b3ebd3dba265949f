import { teamOperations } from "@/lib/server/api/team-operations";
import { testConnection } from "@/lib/server/connections/test-connection";
import { readJson, teamRoute } from "@/lib/server/http/route";

/** Asks a provider for its models, one streamed word and one tool call, with what is stored or what the body has. For administrators. */
export const POST = teamRoute<{ provider: string }>(async (viewer, request, { provider }) =>
  testConnection(viewer, provider, await readJson(request, teamOperations.testConnection.body), request.signal),
);
