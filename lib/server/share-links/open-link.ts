import "server-only";
import { AppError } from "../app-error";
import { isTeamMode } from "../auth/team-mode";
import { hashSecret } from "../auth/token";
import { toTeamViewer, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";

/** A link that was neither revoked nor has expired, to a flow that is not in the trash. */
export const isOpenLink = (now: Date) => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
  flow: { deletedAt: null },
});

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
