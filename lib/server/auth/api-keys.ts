import "server-only";
import { AppError } from "../app-error";
import { type Db, getDb, toReason } from "../db";
import { logger } from "../log/logger";
import { type Permission, permissions } from "./permissions";
import { hashSecret, readBearer } from "./token";
import { toTeamViewer, type Viewer } from "./viewer";

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

/** The user who created the key that a viewer, or the starter of a run, is; else the id itself. */
export async function findPersonId(db: Pick<Db, "apiKey">, viewerId: string): Promise<string> {
  if (!viewerId.startsWith(toKeyId(""))) return viewerId;
  const id = viewerId.slice(toKeyId("").length);
  const key = await db.apiKey.findUnique({ where: { id }, select: { createdById: true } });
  return key?.createdById ?? viewerId;
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
 * The viewer that the secret of an API key stands for: of one team, with the scopes of the key and no more. Throws AppError
 * `unauthorized` for a key that is unknown, revoked or expired.
 */
export async function requireKeyViewer(secret: string, now = Date.now()): Promise<Viewer> {
  const db = await getDb();
  const key = await db.apiKey.findUnique({ where: { keyHash: hashSecret(secret) } });
  if (!key || key.revokedAt) throw new AppError("unauthorized", "This API key is unknown or was revoked.");
  if (key.expiresAt && key.expiresAt.getTime() <= now)
    throw new AppError("unauthorized", "This API key has expired. Make a new one in Settings.");
  const { id, name, teamId } = key;
  if (!key.lastUsedAt || key.lastUsedAt.getTime() <= now - usedEveryMs) writeLastUse(db, id, now);
  const scopes = new Set(readScopes(key.scopes));
  const role = scopes.has("team:own") ? "owner" : "admin";
  return { ...toTeamViewer({ id: toKeyId(id), name: `Key “${name}”` }, { teamId, role }), scopes };
}
