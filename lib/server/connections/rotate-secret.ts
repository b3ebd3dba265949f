import "server-only";
import { type Db, oneState } from "../db";
import { loadConnections, openKey, type SealedRow } from "./active";
import { loadPersonalKeys } from "./personal-keys";
import { type SealingSecret, seal, toInstallationOwner, toPersonOwner, toWebhookOwner } from "./seal";
import { adoptNextSecret, prepareNextSecret, readSecrets, type SealingSecrets } from "./secrets";

export interface Rotation {
  /** Keys that are sealed with the new secret now. */
  sealed: number;
  /** Providers and webhooks whose keys no known secret opens; they stay as they are. */
  unreadable: string[];
}

/**
 * Seals every key with another secret, in one transaction, then forgets the old one. Interrupted at any moment, every key
 * still opens, and the next call ends the work. Throws AppError `unavailable`, DatabaseError.
 */
export async function rotateSecret(db: Db): Promise<Rotation> {
  readSecrets();
  const next = prepareNextSecret();
  const secrets = readSecrets();
  const rotation = await db.$transaction(async (tx): Promise<Rotation> => {
    const connections = (await tx.connection.findMany()).filter(({ sealedKey }) => sealedKey !== "");
    const webhooks = await tx.webhook.findMany();
    const unreadable: string[] = [];
    for (const row of connections) {
      const resealed = reseal(row, secrets, next);
      if (resealed === null) unreadable.push(row.provider);
      else await tx.connection.update({ where: { id: row.id }, data: resealed });
    }
    for (const row of webhooks) {
      const resealed = reseal({ ...row, provider: toWebhookOwner(row.id) }, secrets, next);
      if (resealed === null) unreadable.push(`the webhook "${row.name}"`);
      else await tx.webhook.update({ where: { id: row.id }, data: resealed });
    }
    const people = await tx.personalKey.findMany();
    for (const { userId, provider, sealedKey, secretId } of people) {
      const resealed = reseal({ ...toPersonOwner(userId, provider), sealedKey, secretId }, secrets, next);
      if (resealed === null) unreadable.push(`a person's key of ${provider}`);
      else await tx.personalKey.update({ where: { userId_provider: { userId, provider } }, data: resealed });
    }
    const ownSecrets = await tx.sealedSecret.findMany();
    for (const { name, ...row } of ownSecrets) {
      const resealed = reseal({ ...row, ...toInstallationOwner(name) }, secrets, next);
      if (resealed === null) unreadable.push(`the secret of ${name}`);
      else await tx.sealedSecret.update({ where: { name }, data: resealed });
    }
    const all = connections.length + webhooks.length + people.length + ownSecrets.length;
    return { sealed: all - unreadable.length, unreadable };
  }, oneState);
  adoptNextSecret();
  await loadConnections(db);
  await loadPersonalKeys(db);
  return rotation;
}

/** The columns of a row sealed with `next`; null: no known secret opens it. */
function reseal(row: SealedRow, secrets: SealingSecrets, next: SealingSecret) {
  const key = openKey(row, secrets);
  return key === null ? null : { sealedKey: seal(key, next, row), secretId: next.id };
}
