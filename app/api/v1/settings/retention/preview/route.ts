import { readJson, teamRoute } from "@/lib/server/http/route";
import { previewRetention } from "@/lib/server/retention/retention";
import { retentionSchema } from "@/lib/server/retention/retention-setting";

export const POST = teamRoute(async (viewer, request) =>
  previewRetention(viewer, await readJson(request, retentionSchema)),
);
