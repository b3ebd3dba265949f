import { readJson, teamRoute } from "@/lib/server/http/route";
import { findRetention, saveRetention } from "@/lib/server/retention/retention";
import { retentionSchema } from "@/lib/server/retention/retention-setting";

/** Which runs of the team are deleted as time passes; for administrators. */
export const GET = teamRoute(findRetention);

export const PUT = teamRoute(async (viewer, request) =>
  saveRetention(viewer, await readJson(request, retentionSchema)),
);
