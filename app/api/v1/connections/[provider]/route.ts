import { teamOperations } from "@/lib/server/api/team-operations";
import { removeConnection, saveConnection } from "@/lib/server/connections/commands";
import { readJson, teamRoute } from "@/lib/server/http/route";

/** Sets the key and the base URL of a provider. A missing field keeps what is stored. For administrators. */
export const PUT = teamRoute<{ provider: string }>(async (viewer, request, { provider }) =>
  saveConnection(viewer, provider, await readJson(request, teamOperations.saveConnection.body)),
);

/** Removes what was entered; the environment's connection holds again. For administrators. */
export const DELETE = teamRoute<{ provider: string }>((viewer, _, { provider }) => removeConnection(viewer, provider));
