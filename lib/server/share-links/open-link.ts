import "server-only";
import type { Layout } from "@/lib/core/flow/edit";
import { AppError } from "../app-error";
import { isTeamMode } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import { toTeamViewer, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { chooseRevision } from "../flows/choose-revision";
import { readLayout } from "../stored-layout";
import { isOpenLink } from "../teams/is-open-link";

export type OpenLink = NonNullable<Awaited<ReturnType<typeof findLink>>>;

const findLink = (db: Db, token: string, now: Date) =>
  db.shareLink.findFirst({
    where: { tokenHash: hashSecret(token), ...isOpenLink(now) },
    include: {
      flow: { select: { name: true, revisionId: true, publishedId: true } },
    },
  });

/**
 * The link that a token opens. Throws AppError `not_found`, in the same words for a token that is unknown, revoked or has
 * expired.
 */
export async function openLink(token: string): Promise<OpenLink> {
  const link = isTeamMode() ? await findLink(await getDb(), token, new Date()) : null;
  if (!link) throw noSuchLink();
  return link;
}

export const noSuchLink = (): AppError =>
  new AppError("not_found", "This link cannot be used: it was revoked, has expired, or is incomplete.");

/** The starter of the runs of a link. It starts runs of the link's flow and reads them, no more. */
export const toLinkViewer = ({ id, teamId, flow: { name } }: OpenLink): Viewer => ({
  ...toTeamViewer({ id: `link:${id}`, name: `Link to “${name}”` }, { teamId, role: "runner" }),
  scopes: new Set(["flows:read", "runs:read", "runs:write"]),
});

/** Counts a visit. */
export async function countView({ id }: OpenLink): Promise<void> {
  const db = await getDb();
  await db.shareLink.updateMany({ where: { id }, data: { views: { increment: 1 }, lastViewedAt: new Date() } });
}

/** The name of the team that a link is of. */
export async function readTeamName({ teamId }: OpenLink): Promise<string> {
  const db = await getDb();
  return (await db.team.findUnique({ where: { id: teamId }, select: { name: true } }))?.name ?? "";
}

/** What everyone may read of a flow: its published version, else the newest. */
export interface LinkedFlow {
  name: string;
  team: string;
  source: string;
  layout: Layout;
}

/** The flow that a link shows. Throws AppError `not_found` for a link to a run. */
export async function readLinkedFlow(link: OpenLink): Promise<LinkedFlow> {
  const db = await getDb();
  const id = chooseRevision(link.flow, { revision: undefined, starterId: toLinkViewer(link).id });
  const revision = link.runId === null ? await db.revision.findFirst({ where: { id, flowId: link.flowId } }) : null;
  if (!revision) throw noSuchLink();
  const { source, layout } = revision;
  return { name: link.flow.name, team: await readTeamName(link), source, layout: readLayout(layout) };
}
