import "server-only";
import { localTeamId } from "../auth/viewer";
import type { Db } from "../db";

/** Stores the team of local mode where it is missing: the first account owns it, with all that was made without accounts. */
export async function storeLocalTeam(db: Db): Promise<void> {
  await db.team.upsert({
    where: { id: localTeamId },
    create: { id: localTeamId, name: "My team", createdAt: new Date() },
    update: {},
  });
}
