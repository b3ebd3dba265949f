import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import type { z } from "zod";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { readScopes, secretPrefix } from "../auth/api-keys";
import { hashSecret } from "../auth/token";
import { inTeamsOf, mayInTeam, requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { listKeyIdsOf } from "../teams/withdraw-grants";
import type { createdKeySchema, KeyDetail, KeySetting } from "./key-setting";

/** Most keys of a team that were not revoked. */
const mostKeys = 200;

/**
 * Makes an API key for the one team of the viewer. Throws AppError: `forbidden` unless the viewer manages the team and has
 * every scope itself, `bad_request` for a time that has passed, `conflict` for too many.
 */
export async function createKey(
  viewer: Viewer,
  { name, scopes, expiresAt: expiry }: KeySetting,
): Promise<z.infer<typeof createdKeySchema>> {
  const teamId = requireTeam(viewer, "team:manage");
  const missing = scopes.find((scope) => !mayInTeam(viewer, teamId, scope));
  if (missing !== undefined)
    throw new AppError("forbidden", `\`scopes\`: you do not have ${missing} yourself, so you cannot grant it.`);
  const now = new Date();
  const expiresAt = expiry === undefined ? null : new Date(expiry);
  if (expiresAt && expiresAt <= now) throw new AppError("bad_request", "`expiresAt`: expected a time to come.");
  const db = await getDb();
  if ((await db.apiKey.count({ where: { teamId, revokedAt: null } })) >= mostKeys)
    throw new AppError("conflict", `A team has at most ${mostKeys} API keys. Revoke some first.`);
  const id = randomUUID();
  const secret = secretPrefix + randomBytes(32).toString("base64url");
  const columns = { scopes: scopes.join("\n"), keyHash: hashSecret(secret), lastFour: secret.slice(-4) };
  const creator = { createdById: viewer.id, createdBy: viewer.name, createdAt: now };
  await db.$transaction(async (tx) => {
    await tx.apiKey.create({ data: { id, teamId, name, expiresAt, ...columns, ...creator } });
    const detail = { scopes, ...(expiry !== undefined && { expiresAt: expiry }) };
    await recordAudit(tx, viewer, { teamId, action: "key.created", object: { type: "key", id, name }, detail });
  });
  return { id, secret };
}

/** The keys of the viewer's team that were not revoked, newest first. Throws AppError `forbidden` unless the viewer manages it. */
export async function listKeys(viewer: Viewer): Promise<KeyDetail[]> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const rows = await db.apiKey.findMany({
    where: { teamId, revokedAt: null },
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(({ id, name, scopes, lastFour, createdBy, createdAt, expiresAt, lastUsedAt }) => ({
    id,
    name,
    scopes: readScopes(scopes),
    lastFour,
    createdBy,
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt?.getTime() ?? null,
    lastUsedAt: lastUsedAt?.getTime() ?? null,
  }));
}

/**
 * Revokes a key and the keys that were made with it: they are refused from now on, and their open invitations are withdrawn.
 * What they did stays. Throws AppError `not_found`.
 */
export async function revokeKey(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const where = { id, revokedAt: null, ...inTeamsOf(viewer, "team:manage") };
  await db.$transaction(async (tx) => {
    const key = await tx.apiKey.findFirst({ where, select: { teamId: true, name: true } });
    if (!key || !(await endKey(tx, viewer, { id, ...key })))
      throw new AppError("not_found", "There is no such API key, or it was revoked already.");
  });
}

type KeyDb = Pick<Db, "apiKey" | "auditEvent" | "invitation">;

/** Revokes a key as `revokeKey` does, for an actor who may. Resolves to false where it was revoked already. */
export async function endKey(
  tx: KeyDb,
  actor: Pick<Viewer, "id" | "name">,
  { id, teamId, name }: { id: string; teamId: string; name: string },
): Promise<boolean> {
  const { count } = await tx.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
  if (count === 0) return false;
  await revokeMadeKeys(tx, actor, { id, teamId });
  await recordAudit(tx, actor, { teamId, action: "key.revoked", object: { type: "key", id, name } });
  return true;
}

async function revokeMadeKeys(
  tx: KeyDb,
  actor: Pick<Viewer, "id" | "name">,
  { id, teamId }: { id: string; teamId: string },
): Promise<void> {
  const ids = await listKeyIdsOf(tx, teamId, `key:${id}`);
  const made = await tx.apiKey.findMany({
    where: { id: { in: ids }, revokedAt: null },
    select: { id: true, name: true },
  });
  await tx.apiKey.updateMany({ where: { id: { in: ids }, revokedAt: null }, data: { revokedAt: new Date() } });
  const makers = { in: [id, ...ids].map((keyId) => `key:${keyId}`) };
  await tx.invitation.deleteMany({ where: { teamId, createdById: makers, acceptedAt: null } });
  for (const { id: madeId, name } of made) {
    const object = { type: "key", id: madeId, name } as const;
    await recordAudit(tx, actor, { teamId, action: "key.revoked", object, detail: { madeWith: id } });
  }
}
