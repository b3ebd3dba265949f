import { cookies, headers } from "next/headers";
import { cache } from "react";
import { narrowToTeam, type Viewer } from "@/lib/server/auth/viewer";
import { admitRequest } from "@/lib/server/http/admit-request";
import { teamCookie } from "./team-cookie";

/** The user of the request. Every page begins here or with `getTeamViewer`: the gate in front of Next is never the only one. */
export const getViewer = cache(async (): Promise<Viewer> => admitRequest(await headers()));

/** The user of the request in the team that is shown: the one that was chosen last, or the only one. */
export async function getTeamViewer(): Promise<Viewer> {
  const viewer = await getViewer();
  const chosen = (await cookies()).get(teamCookie)?.value;
  return narrowToTeam(viewer, chosen !== undefined && viewer.roles.has(chosen) ? chosen : undefined);
}
