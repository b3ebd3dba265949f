import "server-only";
import { openKey } from "../connections/active";
import { toWebhookOwner } from "../connections/seal";
import { readSecrets, type SealedColumns, storeSealed } from "../connections/secrets";
import { makeWebhookSecret } from "./signature";

interface WebhookOwner {
  id: string;
  teamId: string;
}

/** The columns of a sealed secret. */
export type SecretColumns = SealedColumns & { lastFour: string };

/** Makes a new secret of a webhook and stores its columns, as `storeSealed` does. Throws AppError `unavailable`. */
export async function storeNewSecret(
  { id, teamId }: WebhookOwner,
  store: (columns: SecretColumns) => Promise<unknown>,
): Promise<string> {
  const secret = makeWebhookSecret();
  const lastFour = secret.slice(-4);
  await storeSealed(secret, { teamId, provider: toWebhookOwner(id) }, (columns) => store({ ...columns, lastFour }));
  return secret;
}

/** The secret of a webhook; null: no secret of this server opens it. Throws AppError `unavailable`. */
export const openSecret = (row: WebhookOwner & { sealedKey: string; secretId: string }): string | null =>
  openKey({ ...row, provider: toWebhookOwner(row.id) }, readSecrets());
