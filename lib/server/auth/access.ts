import "server-only";
import type { Permission } from "./permissions";
import { isTeamMode } from "./team-mode";
import { mayInFlow, mayInTeam, requireTeam, type Viewer } from "./viewer";

/** What a page offers to a viewer: it spares requests that would be refused. */
interface PageAccess {
  /** Null where people do not sign in. */
  team: string | null;
  mayRun: boolean;
  mayEdit: boolean;
  mayManage: boolean;
}

const toAccess = (teamId: string, may: (permission: Permission) => boolean): PageAccess => ({
  team: isTeamMode() ? teamId : null,
  mayRun: may("runs:write"),
  mayEdit: may("flows:write"),
  mayManage: may("team:manage"),
});

/** What is allowed in a flow and its runs. */
export const toFlowAccess = (viewer: Viewer, flow: { id: string; teamId: string }): PageAccess =>
  toAccess(flow.teamId, (permission) => mayInFlow(viewer, flow, permission));

/** What is allowed in the team of a viewer that is narrowed to it, and in those of its flows in which the viewer has another role. */
export function toTeamScope(viewer: Viewer): { access: PageAccess; flows: Record<string, PageAccess> } {
  const teamId = requireTeam(viewer, "flows:read");
  const raisedOrLowered = viewer.flowRoles.filter((role) => role.teamId === teamId);
  return {
    access: toAccess(teamId, (permission) => mayInTeam(viewer, teamId, permission)),
    flows: Object.fromEntries(raisedOrLowered.map(({ flowId: id }) => [id, toFlowAccess(viewer, { id, teamId })])),
  };
}
