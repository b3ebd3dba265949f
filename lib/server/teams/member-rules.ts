import "server-only";
import { AppError } from "../app-error";
import { isAtLeast, type Role } from "../auth/permissions";
import { roleNames, type Viewer } from "../auth/viewer";

/** Throws AppError `forbidden` when a viewer gives, takes or changes a role above its own in a team. */
export function requireRole(viewer: Viewer, teamId: string, role: Role): void {
  const ownRole = viewer.roles.get(teamId);
  if (ownRole !== undefined && isAtLeast(ownRole, role)) return;
  throw new AppError("forbidden", `Only a member who is ${roleNames[role]} may give or take this role.`);
}
