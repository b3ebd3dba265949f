import "server-only";
import type { Db } from "../db";
import { isAtLeast, type Role, roleSchema } from "./permissions";
import type { Viewer } from "./viewer";

/** Whether members with a team role can have another role in one flow: Admins and Owners keep theirs in every flow. */
export const mayHaveFlowRole = (teamRole: Role): boolean => !isAtLeast(teamRole, "admin");

/** The present roles of a user: in one team, or in all teams, with the roles in single flows that hold there. */
export async function loadRoles(
  db: Pick<Db, "membership" | "flowMembership">,
  userId: string,
  teamId?: string,
): Promise<Pick<Viewer, "roles" | "flowRoles">> {
  const [memberships, flowMemberships] = await Promise.all([
    db.membership.findMany({
      where: { userId, ...(teamId !== undefined && { teamId }) },
      select: { teamId: true, role: true },
      orderBy: { teamId: "asc" },
    }),
    db.flowMembership.findMany({
      where: { userId, ...(teamId !== undefined && { flow: { teamId } }) },
      select: { flowId: true, role: true, flow: { select: { teamId: true } } },
    }),
  ]);
  const roles = new Map(memberships.map((membership) => [membership.teamId, roleSchema.parse(membership.role)]));
  const flowRoles = flowMemberships
    .map(({ flowId, role, flow }) => ({ flowId, teamId: flow.teamId, role: roleSchema.parse(role) }))
    .filter((flowRole) => {
      const teamRole = roles.get(flowRole.teamId);
      return teamRole !== undefined && mayHaveFlowRole(teamRole);
    });
  return { roles, flowRoles };
}
