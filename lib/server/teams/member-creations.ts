import "server-only";
import { narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { isOpenLink } from "./is-open-link";
import { listKeyIdsOf } from "./withdraw-grants";

/** What goes on after its maker has left a team: it starts runs, or shows a flow to everyone. */
export interface MemberCreation {
  type: "link" | "webhook" | "schedule";
  id: string;
  /** Of a link: the name of its flow. */
  name: string;
  flowId: string;
  /** Of a link to a run. */
  runId: string | null;
}

const maxPerType = 200;

/**
 * What a member made in a team, by hand or with API keys, that goes on without the member: share links that can be used,
 * webhooks and schedules that are on. Throws AppError `not_found`, and `forbidden` unless the viewer manages the team.
 */
export async function listMemberCreations(viewer: Viewer, teamId: string, userId: string): Promise<MemberCreation[]> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  const db = await getDb();
  return listCreations(db, { teamId, createdById: { in: await listMakerIds(db, teamId, userId) } });
}

/** What makers made since a moment in all teams that goes on. */
export const listCreationsSince = (db: CreationDb, makers: readonly string[], since: Date): Promise<MemberCreation[]> =>
  listCreations(db, { createdById: { in: [...makers] }, createdAt: { gte: since } });

/** A user, the API keys that the user made since a moment in all teams, and the keys that were made with those. */
export async function listMakersSince(db: CreationDb, userId: string, since: Date): Promise<string[]> {
  const keys = await db.apiKey.findMany({
    where: { createdById: userId, createdAt: { gte: since } },
    select: { id: true, teamId: true },
  });
  const makers = await Promise.all(keys.map(({ id, teamId }) => listMakerIds(db, teamId, `key:${id}`)));
  return [userId, ...new Set(makers.flat())];
}

type CreationDb = Pick<Db, "apiKey" | "schedule" | "shareLink" | "webhook">;

/** A viewer, and the API keys that the viewer made. */
async function listMakerIds(db: CreationDb, teamId: string, viewerId: string): Promise<string[]> {
  const keyIds = await listKeyIdsOf(db, teamId, viewerId);
  return [viewerId, ...keyIds.map((id) => `key:${id}`)];
}

interface CreationWhere {
  teamId?: string;
  createdById: { in: string[] };
  createdAt?: { gte: Date };
}

async function listCreations(db: CreationDb, where: CreationWhere): Promise<MemberCreation[]> {
  const page = { orderBy: [{ createdAt: "desc" as const }, { id: "asc" as const }], take: maxPerType };
  const select = { id: true, name: true, flowId: true };
  const [links, webhooks, schedules] = await Promise.all([
    db.shareLink.findMany({
      where: { ...where, ...isOpenLink(new Date()) },
      select: { id: true, flowId: true, runId: true, flow: { select: { name: true } } },
      ...page,
    }),
    db.webhook.findMany({ where: { ...where, enabled: true }, select, ...page }),
    db.schedule.findMany({ where: { ...where, enabled: true }, select, ...page }),
  ]);
  return [
    ...links.map(({ flow: { name }, ...link }) => ({ type: "link" as const, name, ...link })),
    ...webhooks.map((webhook) => ({ type: "webhook" as const, runId: null, ...webhook })),
    ...schedules.map((schedule) => ({ type: "schedule" as const, runId: null, ...schedule })),
  ];
}
