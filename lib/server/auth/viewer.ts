import "server-only";
import { AppError } from "../app-error";
import { lowestRoleWith, type Permission, type Role, roleHas } from "./permissions";

/** The user making the request. Every query and command takes one; its teams are in every `where`. */
export interface Viewer {
  id: string;
  name: string;
  /** The viewer's teams, each with the role there. */
  roles: ReadonlyMap<string, Role>;
  /** Flows in which another role holds than in their team. */
  flowRoles: readonly FlowRole[];
  /** What the viewer may do at most, whatever its roles allow; null: no such limit. API keys have one. */
  scopes: ReadonlySet<Permission> | null;
}

/** The role of a viewer in a flow. The viewer is in the team of that flow. */
export interface FlowRole {
  flowId: string;
  teamId: string;
  role: Role;
}

/** The team of local mode, which becomes the first team when accounts are turned on. */
export const localTeamId = "local";

/** A viewer that is no person: what has one role in one team, e.g. a schedule. */
export const toTeamViewer = (
  { id, name }: { id: string; name: string },
  { teamId, role }: { teamId: string; role: Role },
): Viewer => ({ id, name, roles: new Map([[teamId, role]]), flowRoles: [], scopes: null });

/** The one person of local mode: no account, loopback only. */
export const localViewer: Viewer = toTeamViewer({ id: "local", name: "You" }, { teamId: localTeamId, role: "owner" });

const hasScope = ({ scopes }: Viewer, permission: Permission): boolean => scopes === null || scopes.has(permission);

/** The viewer's teams in which it has a permission. */
export const listTeamsWith = (viewer: Viewer, permission: Permission): string[] =>
  hasScope(viewer, permission)
    ? [...viewer.roles].filter(([, role]) => roleHas(role, permission)).map(([teamId]) => teamId)
    : [];

/** Where a viewer has a permission: in teams, but for flows with a role of their own, which are in or out. */
export interface FlowAccess {
  teamIds: string[];
  /** Flows outside of these teams. */
  raised: string[];
  /** Flows in these teams. */
  lowered: string[];
}

export function listFlowAccess(viewer: Viewer, permission: Permission): FlowAccess {
  const teamIds = listTeamsWith(viewer, permission);
  if (!hasScope(viewer, permission)) return { teamIds, raised: [], lowered: [] };
  const idsOf = (isRaised: boolean): string[] =>
    viewer.flowRoles.filter(({ role }) => roleHas(role, permission) === isRaised).map(({ flowId }) => flowId);
  return { teamIds, raised: idsOf(true), lowered: idsOf(false) };
}

/** The `where` part that keeps a viewer inside the teams in which it has a permission. */
export const inTeamsOf = (viewer: Viewer, permission: Permission) => ({
  teamId: { in: listTeamsWith(viewer, permission) },
});

/** The `where` part of flows in which a viewer has a permission, also those in the trash. */
export function isFlowOf(viewer: Viewer, permission: Permission) {
  const { teamIds, raised, lowered } = listFlowAccess(viewer, permission);
  const inTeams = { teamId: { in: teamIds }, ...(lowered.length > 0 && { id: { notIn: lowered } }) };
  return raised.length === 0 ? { AND: [inTeams] } : { AND: [{ OR: [inTeams, { id: { in: raised } }] }] };
}

/** The `where` part of flows in which a viewer has a permission, and that are not in the trash. */
export const isLiveFlowOf = (viewer: Viewer, permission: Permission) => ({
  ...isFlowOf(viewer, permission),
  deletedAt: null,
});

/** The `where` part of what belongs to a flow, e.g. its runs, in which a viewer has a permission. */
export function isInFlowOf(viewer: Viewer, permission: Permission) {
  const { teamIds, raised, lowered } = listFlowAccess(viewer, permission);
  const inTeams = { teamId: { in: teamIds }, ...(lowered.length > 0 && { flowId: { notIn: lowered } }) };
  return raised.length === 0 ? { AND: [inTeams] } : { AND: [{ OR: [inTeams, { flowId: { in: raised } }] }] };
}

/** Whether a viewer has a permission in a team. */
export const mayInTeam = (viewer: Viewer, teamId: string, permission: Permission): boolean =>
  listTeamsWith(viewer, permission).includes(teamId);

/** Whether a viewer has a permission in a flow. */
export function mayInFlow(viewer: Viewer, flow: { id: string; teamId: string }, permission: Permission): boolean {
  const { teamIds, raised, lowered } = listFlowAccess(viewer, permission);
  return raised.includes(flow.id) || (teamIds.includes(flow.teamId) && !lowered.includes(flow.id));
}

/**
 * The viewer in one team only: the one that a request names, or the only one there is. Throws AppError: `not_found` for a
 * team that the viewer is not in, `bad_request` when it has to be named, `forbidden` for a viewer without a team.
 */
export function narrowToTeam(viewer: Viewer, named?: string): Viewer {
  const teamId = named ?? findOnlyTeam(viewer);
  const role = viewer.roles.get(teamId);
  if (role === undefined) throw new AppError("not_found", "There is no such team.");
  const flowRoles = viewer.flowRoles.filter((flowRole) => flowRole.teamId === teamId);
  return { ...viewer, roles: new Map([[teamId, role]]), flowRoles };
}

/** Throws AppError `forbidden` unless the viewer manages the first team: its members run the installation. */
export function requireOperator(viewer: Viewer): void {
  if (!mayInTeam(viewer, localTeamId, "team:manage"))
    throw new AppError("forbidden", "Only Admins of the first team see how this installation works.");
}

/** The one team of a viewer that is narrowed to it. Throws AppError as `narrowToTeam` does, and `forbidden` without the permission. */
export function requireTeam(viewer: Viewer, permission: Permission): string {
  const teamId = findOnlyTeam(viewer);
  if (!mayInTeam(viewer, teamId, permission))
    throw new AppError("forbidden", `This needs ${describeNeed(viewer, permission)}.`);
  return teamId;
}

/** Throws AppError `forbidden` when an API key lacks a scope of what a request also reads or makes readable. */
export function requireScope(viewer: Viewer, permission: Permission): void {
  if (!hasScope(viewer, permission)) throw new AppError("forbidden", `This also needs the scope ${permission}.`);
}

const describeNeed = (viewer: Viewer, permission: Permission): string =>
  hasScope(viewer, permission)
    ? `the role ${roleNames[lowestRoleWith(permission)]} in the team`
    : `the scope ${permission}`;

function findOnlyTeam({ roles }: Viewer): string {
  const [teamId] = roles.keys();
  if (teamId === undefined)
    throw new AppError("forbidden", "You are in no team. Ask for an invitation, or create one.");
  if (roles.size > 1)
    throw new AppError("bad_request", `\`team\`: you are in ${roles.size} teams. Name one of them, as in ?team=<id>.`);
  return teamId;
}

/** Roles as users read them. */
export const roleNames: Record<Role, string> = {
  viewer: "Viewer",
  runner: "Runner",
  editor: "Editor",
  admin: "Admin",
  owner: "Owner",
};
