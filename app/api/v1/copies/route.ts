import { shareLinkOperations } from "@/lib/server/api/share-link-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { copyPublicFlow } from "@/lib/server/share-links/gallery";

export const POST = teamRoute(async (viewer, request) =>
  Response.json(await copyPublicFlow(viewer, await readJson(request, shareLinkOperations.copyPublicFlow.body)), {
    status: 201,
  }),
);
