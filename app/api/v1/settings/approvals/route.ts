import { teamOperations } from "@/lib/server/api/team-operations";
import { readJson, teamRoute } from "@/lib/server/http/route";
import { getApprovalRule, saveApprovalRule } from "@/lib/server/teams/approval-rule";

/** Who may approve in the runs of the team; for administrators. */
export const GET = teamRoute(getApprovalRule);

export const PUT = teamRoute(async (viewer, request) =>
  saveApprovalRule(viewer, await readJson(request, teamOperations.saveApprovalRule.body)),
);
