import "server-only";
import { z } from "zod";

/** What a member of a team may be, each with what the one before may do and more. */
export const roles = ["viewer", "runner", "editor", "admin", "owner"] as const;
export const roleSchema = z.enum(roles);
/** A role as requests name it: in any case. */
export const roleInputSchema = z.string().toLowerCase().pipe(roleSchema);
export type Role = (typeof roles)[number];

/** Everything that is allowed or refused in a team, with the lowest role that may do it. */
const lowestRoles = {
  /** Flows, their revisions, schedules and webhooks. */
  "flows:read": "viewer",
  /** Runs and whatever their steps recorded. */
  "runs:read": "viewer",
  /** Comments on what can be read. */
  "comments:write": "viewer",
  /** Start, fork, pause, cancel and answer runs. */
  "runs:write": "runner",
  /** Create, change, publish and delete flows, their schedules and webhooks. */
  "flows:write": "editor",
  /** Links for people without an account. */
  "shares:write": "editor",
  /** Members, connections, keys and all other settings of the team. */
  "team:manage": "admin",
  /** Delete the team, and decide who owns it. */
  "team:own": "owner",
} as const satisfies Record<string, Role>;

export type Permission = keyof typeof lowestRoles;
export const permissions = z.enum(Object.keys(lowestRoles) as [Permission, ...Permission[]]).options;

/** Whether the first role may do everything that the second may. */
export const isAtLeast = (role: Role, other: Role): boolean => roles.indexOf(role) >= roles.indexOf(other);

/** Whether a role has a permission. */
export const roleHas = (role: Role, permission: Permission): boolean => isAtLeast(role, lowestRoles[permission]);

/** The lowest role with a permission. */
export const lowestRoleWith = (permission: Permission): Role => lowestRoles[permission];
