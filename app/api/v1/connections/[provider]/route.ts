import { removeConnection, saveConnection } from "@/lib/server/connections/commands";
import { connectionSettingSchema } from "@/lib/server/connections/connection-setting";
import { readJson, teamRoute } from "@/lib/server/http/route";

/** Sets the key and the base URL of a provider. A missing field keeps what is stored. For administrators. */
export const PUT = teamRoute<{ provider: string }>(async (viewer, request, { provider }) =>
  saveConnection(viewer, provider, await readJson(request, connectionSettingSchema)),
);

/** Removes what was entered; the environment's connection holds again. For administrators. */
export const DELETE = teamRoute<{ provider: string }>((viewer, _, { provider }) => removeConnection(viewer, provider));
