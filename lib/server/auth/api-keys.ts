import "server-only";
import { AppError } from "../app-error";
import { type Db, getDb, toReason } from "../db";
import { logger } from "../log/logger";
import { loadRoles } from "./load-roles";
import { type Permission, permissions } from "./permissions";
import { hashSecret, readBearer } from "./token";
import { localViewer, type Viewer } from "./viewer";

/** What the secret of every API key begins with. */
export const secretPrefix = "swl_";

/** The secret of an API key in `Authorization: Bearer`; null: the request shows none. */
export function readKeySecret(headers: Headers): string | null {
  const bearer = readBearer(headers);
  return bearer?.toLowerCase().startsWith(secretPrefix) ? bearer : null;
}

/** The permissions that a key's column names. */
export const readScopes = (text: string): Permission[] =>
  permissions.filter((permission) => text.split("\n").includes(permission));

const toKeyId = (id: string): string => `key:${id}`;

/** Who made the key that a viewer, or the starter of a run, is, and when; of a key made with another one: of the first. Null: it is no key. */
export async function findKeyMaker(
  db: Pick<Db, "apiKey">,
  viewerId: string,
): Promise<{ userId: string; at: Date } | null> {
  if (!viewerId.startsWith(toKeyId(""))) return null;
  const id = viewerId.slice(toKeyId("").length);
  const key = await db.apiKey.findUnique({ where: { id }, select: { createdById: true, createdAt: true } });
  if (!key) return null;
  return (await findKeyMaker(db, key.createdById)) ?? { userId: key.createdById, at: key.createdAt };
}

interface KeyRow {
  teamId: string;
  createdById: string;
  revokedAt: Date | null;
  expiresAt: Date | null;
}

const isOver = ({ revokedAt, expiresAt }: KeyRow, now: number): boolean =>
  revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= now);

/** Whether one of the keys that a key was made with, directly or by others, was revoked or has expired. */
async function isOrphan(db: Db, { createdById }: KeyRow, now: number): Promise<boolean> {
  if (!createdById.startsWith(toKeyId(""))) return false;
  const maker = await db.apiKey.findUnique({ where: { id: createdById.slice(toKeyId("").length) } });
  return maker === null || isOver(maker, now) || isOrphan(db, maker, now);
}

/**
 * The present roles of a key's creator in its team and in single flows of it; null: none. Keys of the time before there were
 * accounts are the owner's.
 */
async function findCreatorRoles(db: Db, key: KeyRow): Promise<Pick<Viewer, "roles" | "flowRoles"> | null> {
  const userId = (await findKeyMaker(db, key.createdById))?.userId ?? key.createdById;
  const { teamId } = key;
  if (userId === localViewer.id) return { roles: new Map([[teamId, "owner"]]), flowRoles: [] };
  const creatorRoles = await loadRoles(db, userId, teamId);
  return creatorRoles.roles.size === 0 ? null : creatorRoles;
}

/** How often the last use of a key is written at most, in milliseconds. */
const usedEveryMs = 60_000;

/** No request waits for this, so that reading goes on while the database takes no write. */
function writeLastUse(db: Db, id: string, now: number): void {
  const unusedSince = new Date(now - usedEveryMs);
  db.apiKey
    .updateMany({
      where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: unusedSince } }] },
      data: { lastUsedAt: new Date(now) },
    })
    .catch((error: unknown) => logger.warn({ reason: toReason(error) }, "the use of an API key was not recorded"));
}

/**
 * The viewer that the secret of an API key stands for: of one team, with the scopes of the key as far as its creator has
 * them now, in the team and in each flow. Throws AppError `unauthorized` for a key that is unknown, revoked or expired, or whose creator has left the team.
 */
export async function requireKeyViewer(secret: string, now = Date.now()): Promise<Viewer> {
  const db = await getDb();
  const key = await db.apiKey.findUnique({ where: { keyHash: hashSecret(secret) } });
  if (!key || key.revokedAt) throw new AppError("unauthorized", "This API key is unknown or was revoked.");
  if (key.expiresAt && key.expiresAt.getTime() <= now)
    throw new AppError("unauthorized", "This API key has expired. Make a new one in Settings.");
  if (await isOrphan(db, key, now))
    throw new AppError(
      "unauthorized",
      "The API key that this one was made with was revoked or has expired. Make a new one.",
    );
  const { id, name } = key;
  const creatorRoles = await findCreatorRoles(db, key);
  if (creatorRoles === null)
    throw new AppError("unauthorized", "Who made this API key is no member of the team any more. Make a new one.");
  if (!key.lastUsedAt || key.lastUsedAt.getTime() <= now - usedEveryMs) writeLastUse(db, id, now);
  return { id: toKeyId(id), name: `Key “${name}”`, ...creatorRoles, scopes: new Set(readScopes(key.scopes)) };
}
