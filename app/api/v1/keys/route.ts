import { keyOperations } from "@/lib/server/api/key-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { createKey, listKeys } from "@/lib/server/keys/keys";

export const GET = teamRoute(async (viewer) => ({ keys: await listKeys(viewer) }));

export const POST = teamRoute(async (viewer, request) =>
  Response.json(await createKey(viewer, await readJson(request, keyOperations.createKey.body)), { status: 201 }),
);
