import "server-only";
import { randomUUID } from "node:crypto";
import { loadViewer } from "../../accounts/read-viewer";
import { AppError } from "../../app-error";
import type { Role } from "../../auth/permissions";
import type { Viewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { insertTeam } from "../team-rows";

export interface TestUser {
  id: string;
  name: string;
  email: string;
}

/** Stores an account without a password. */
export async function insertUser(db: Db, name: string): Promise<TestUser> {
  const id = randomUUID();
  const now = new Date();
  const user = { id, name, email: `${id}@example.org` };
  await db.user.create({ data: { ...user, emailVerified: false, createdAt: now, updatedAt: now } });
  return user;
}

/** Stores a team with an owner, and one member of each of these roles. */
export async function insertTeamOf<Names extends string>(db: Db, members: Record<Names, Role>) {
  const owner = await insertUser(db, "Owner");
  const { id } = await insertTeam(db, { name: "Weavers", owner });
  const users = new Map<string, TestUser>([["owner", owner]]);
  for (const [name, role] of Object.entries<Role>(members)) {
    const user = await insertUser(db, name);
    users.set(name, user);
    await db.membership.create({ data: { teamId: id, userId: user.id, role, createdAt: new Date() } });
  }
  const userOf = (name: Names | "owner") => users.get(name) ?? owner;
  return { id, userOf, viewerOf: (name: Names | "owner"): Promise<Viewer> => loadViewer(db, userOf(name)) };
}

/** The code with which a call is refused; `done`: it is not. */
export const codeOf = (pending: Promise<unknown>): Promise<string> =>
  pending.then(
    () => "done",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
