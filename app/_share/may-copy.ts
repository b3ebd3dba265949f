import { listTeamsWith, type Viewer } from "@/lib/server/auth/viewer";

/** Whether a visitor has a team into which a flow can be copied. */
export const mayCopy = (viewer: Viewer | null): boolean =>
  viewer !== null && listTeamsWith(viewer, "flows:write").length > 0;
