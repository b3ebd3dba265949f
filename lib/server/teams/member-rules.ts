import "server-only";
import { AppError } from "../app-error";
import { isAtLeast, lowestRoleWith, permissions, type Role, roleHas, roles } from "../auth/permissions";
import { mayInTeam, roleNames, type Viewer } from "../auth/viewer";

/** The highest role that an API key gives or takes without having all of its permissions: to manage members means these. */
const maxRoleOfKeys: Role = "editor";

/**
 * The role whose power over members a viewer has in a team: of an API key, the highest one that one of its scopes belongs to.
 * Undefined: none.
 */
export function findRankIn({ roles: ownRoles, scopes }: Viewer, teamId: string): Role | undefined {
  const ownRole = ownRoles.get(teamId);
  if (ownRole === undefined || scopes === null) return ownRole;
  const scopeRoles = [...scopes].map(lowestRoleWith);
  return roles.findLast((role) => isAtLeast(ownRole, role) && scopeRoles.includes(role));
}

/**
 * Throws AppError `forbidden` when a viewer gives or takes a role above its own rank in a team, and when an API key gives or
 * takes one above Editor without every permission of that role.
 */
export function assertMayManageRole(viewer: Viewer, teamId: string, role: Role): void {
  const rank = findRankIn(viewer, teamId);
  if (rank === undefined || !isAtLeast(rank, role))
    throw new AppError("forbidden", `Only a member who is ${roleNames[role]} may give or take this role.`);
  if (viewer.scopes === null || isAtLeast(maxRoleOfKeys, role)) return;
  const missing = permissions.find((permission) => roleHas(role, permission) && !mayInTeam(viewer, teamId, permission));
  if (missing !== undefined)
    throw new AppError(
      "forbidden",
      `An API key gives and takes the role ${roleNames[role]} only with every permission of it: this one lacks ${missing}.`,
    );
}

/** Throws AppError `forbidden` when an API key invites to a role above Editor: those are for people to give. */
export function assertMayInvite(viewer: Viewer, teamId: string, role: Role): void {
  assertMayManageRole(viewer, teamId, role);
  if (viewer.scopes !== null && !isAtLeast(maxRoleOfKeys, role))
    throw new AppError(
      "forbidden",
      `API keys invite up to the role ${roleNames[maxRoleOfKeys]}. A member who is ${roleNames[role]} can invite in Settings.`,
    );
}
