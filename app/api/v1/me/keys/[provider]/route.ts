import { memberOperations } from "@/lib/server/api/member-operations";
import { removePersonalKey, savePersonalKey } from "@/lib/server/connections/personal-keys";
import { readJson, route } from "@/lib/server/http/route";

export const PUT = route<{ provider: string }>(async (viewer, request, { provider }) =>
  savePersonalKey(viewer, provider, await readJson(request, memberOperations.savePersonalKey.body)),
);

export const DELETE = route<{ provider: string }>((viewer, _request, { provider }) =>
  removePersonalKey(viewer, provider),
);
