import { route, toDownload } from "@/lib/server/http/route";
import { exportTeam } from "@/lib/server/teams/export-team";

/** The flows of a team with all their versions, as a file. */
export const GET = route<{ id: string }>(async (viewer, _, { id }) =>
  toDownload({ name: `swarmloom-team-${id}.json`, pieces: await exportTeam(viewer, id) }),
);
