import "server-only";
import { mayHaveFlowRole } from "../auth/load-roles";
import { type Role, roleSchema } from "../auth/permissions";
import { requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getLiveFlow } from "../flows/queries";

export interface TeamSummary {
  id: string;
  name: string;
  /** The viewer's. */
  role: Role;
}

/** The viewer's teams, in order of their names. */
export async function listTeams(viewer: Viewer): Promise<TeamSummary[]> {
  const db = await getDb();
  const teams = await db.team.findMany({
    where: { id: { in: [...viewer.roles.keys()] } },
    select: { id: true, name: true },
  });
  return teams
    .flatMap(({ id, name }) => {
      const role = viewer.roles.get(id);
      return role === undefined ? [] : [{ id, name, role }];
    })
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** Times in milliseconds since the epoch. */
export interface MemberDetail {
  userId: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: number;
}

/** The members of the viewer's team, in order of their names. Throws AppError as `requireTeam` does. */
export async function listMembers(viewer: Viewer): Promise<MemberDetail[]> {
  const teamId = requireTeam(viewer, "flows:read");
  const db = await getDb();
  const rows = await db.membership.findMany({
    where: { teamId },
    select: { role: true, createdAt: true, user: { select: { id: true, name: true, email: true } } },
  });
  return rows
    .map(({ role, createdAt, user: { id: userId, ...user } }) => ({
      userId,
      ...user,
      role: roleSchema.parse(role),
      joinedAt: createdAt.getTime(),
    }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.userId.localeCompare(b.userId));
}

/** The members who have another role in a flow than in its team. Throws AppError `not_found`. */
export async function listFlowMembers(
  viewer: Viewer,
  flowId: string,
): Promise<{ userId: string; name: string; role: Role }[]> {
  const db = await getDb();
  const { teamId } = await getLiveFlow(viewer, "flows:read", flowId);
  const rows = await db.flowMembership.findMany({
    where: { flowId },
    select: {
      role: true,
      user: { select: { id: true, name: true, memberships: { where: { teamId }, select: { role: true } } } },
    },
  });
  return rows
    .filter(({ user }) => user.memberships.some((membership) => mayHaveFlowRole(roleSchema.parse(membership.role))))
    .map(({ role, user: { id: userId, name } }) => ({ userId, name, role: roleSchema.parse(role) }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.userId.localeCompare(b.userId));
}
