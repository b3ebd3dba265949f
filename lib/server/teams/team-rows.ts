import "server-only";
import { randomUUID } from "node:crypto";
import type { Db } from "../db";

/** Longest name of a team, in UTF-16 units. */
export const longestTeamName = 100;

/** Stores a team with its owner. */
export async function insertTeam(
  db: Pick<Db, "team">,
  { name, ownerId }: { name: string; ownerId: string },
): Promise<{ id: string }> {
  const [id, createdAt] = [randomUUID(), new Date()];
  const memberships = { create: { userId: ownerId, role: "owner", createdAt } };
  await db.team.create({ data: { id, name: name.slice(0, longestTeamName), createdAt, memberships } });
  return { id };
}
