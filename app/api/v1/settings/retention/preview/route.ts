import { readJson, route } from "@/lib/server/http/route";
import { previewRetention } from "@/lib/server/retention/retention";
import { retentionSchema } from "@/lib/server/retention/retention-setting";

export const POST = route(async (viewer, request) =>
  previewRetention(viewer, await readJson(request, retentionSchema)),
);
