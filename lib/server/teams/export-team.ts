import "server-only";
import { recordAudit } from "../audit/record-audit";
import { narrowToTeam, requireScope, requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { readTagLines } from "../flows/tag-lines";

/**
 * The flows of a team with all their versions, as a JSON text in pieces. Runs are not in it: each has a file of its own. Throws AppError:
 * `not_found`, `forbidden`.
 */
export async function exportTeam(viewer: Viewer, teamId: string): Promise<AsyncGenerator<string>> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  requireScope(viewer, "flows:read");
  const db = await getDb();
  const team = await db.team.findUniqueOrThrow({ where: { id: teamId }, select: { id: true, name: true } });
  const object = { type: "team", ...team } as const;
  await recordAudit(db, viewer, { teamId, action: "team.exported", object });
  return writeTeam(team);
}

async function* writeTeam(team: { id: string; name: string }): AsyncGenerator<string> {
  const db = await getDb();
  const flows = await db.flow.findMany({
    where: { teamId: team.id },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    select: { id: true, name: true, tags: true, deletedAt: true },
  });
  yield `{"team":${JSON.stringify(team)},"flows":[`;
  for (const [index, { tags, ...flow }] of flows.entries()) {
    const revisions = await db.revision.findMany({
      where: { flowId: flow.id },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      select: { id: true, createdAt: true, createdBy: true, name: true, source: true, layout: true },
    });
    yield `${index > 0 ? "," : ""}${JSON.stringify({ ...flow, tags: readTagLines(tags), revisions })}\n`;
  }
  yield "]}\n";
}
