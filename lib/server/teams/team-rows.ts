import "server-only";
import { randomUUID } from "node:crypto";
import { recordAudit } from "../audit/record-audit";
import type { Viewer } from "../auth/viewer";
import type { Db } from "../db";

/** Longest name of a team, in UTF-16 units. */
export const longestTeamName = 100;

/** Stores a team with its owner, who created it. */
export async function insertTeam(
  db: Pick<Db, "team" | "auditEvent">,
  { name, owner }: { name: string; owner: Pick<Viewer, "id" | "name"> },
): Promise<{ id: string }> {
  const [id, createdAt] = [randomUUID(), new Date()];
  const team = { id, name: name.slice(0, longestTeamName), createdAt };
  const memberships = { create: { userId: owner.id, role: "owner", createdAt } };
  await db.team.create({ data: { ...team, memberships } });
  const object = { type: "team", id, name: team.name } as const;
  await recordAudit(db, owner, { teamId: id, action: "team.created", object });
  return { id };
}
