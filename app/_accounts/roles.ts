import type { Role } from "@/lib/server/auth/permissions";

/** All roles, each with what the one before may do and more. */
export const roleOptions: readonly (readonly [role: Role, name: string])[] = [
  ["viewer", "Viewer"],
  ["runner", "Runner"],
  ["editor", "Editor"],
  ["admin", "Admin"],
  ["owner", "Owner"],
];

export const roleNames: ReadonlyMap<Role, string> = new Map(roleOptions);

/** What a role may do, as the end of a sentence. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  viewer: "read flows and runs, and comment",
  runner: "also start and answer runs",
  editor: "also create and change flows",
  admin: "also manage members, connections and settings",
  owner: "also delete the team and decide who owns it",
};

export const toRole = (value: string): Role => roleOptions.find(([role]) => role === value)?.[0] ?? "viewer";

/** The roles that a member with a role may give. */
export const rolesUpTo = (role: Role) =>
  roleOptions.slice(0, roleOptions.findIndex(([candidate]) => candidate === role) + 1);
