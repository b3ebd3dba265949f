import "server-only";
import { openKey } from "../connections/active";
import { seal, toWebhookOwner } from "../connections/seal";
import { readSecrets } from "../connections/secrets";
import { makeWebhookSecret } from "./signature";

interface WebhookOwner {
  id: string;
  teamId: string;
}

/** The columns of a sealed secret. */
export type SecretColumns = Record<"sealedKey" | "secretId" | "lastFour", string>;

/**
 * Makes a new secret of a webhook and stores its columns. A rotation may replace the secret of the server at the same
 * moment: what is stored then is sealed again. `store` may be called several times. Throws AppError `unavailable`.
 */
export async function storeNewSecret(
  { id, teamId }: WebhookOwner,
  store: (columns: SecretColumns) => Promise<unknown>,
): Promise<string> {
  const secret = makeWebhookSecret();
  for (;;) {
    const { current } = readSecrets();
    const sealedKey = seal(secret, current, { teamId, provider: toWebhookOwner(id) });
    await store({ sealedKey, secretId: current.id, lastFour: secret.slice(-4) });
    if (readSecrets().all.has(current.id)) return secret;
  }
}

/** The secret of a webhook; null: no secret of this server opens it. Throws AppError `unavailable`. */
export const openSecret = (row: WebhookOwner & { sealedKey: string; secretId: string }): string | null =>
  openKey({ ...row, provider: toWebhookOwner(row.id) }, readSecrets());
