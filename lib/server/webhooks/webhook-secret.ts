import "server-only";
import { openKey } from "../connections/active";
import { seal, toWebhookOwner } from "../connections/seal";
import { readSecrets } from "../connections/secrets";
import { makeWebhookSecret } from "./signature";

interface WebhookOwner {
  id: string;
  teamId: string;
}

/** A new secret of a webhook, and its columns. Throws AppError `unavailable`. */
export function makeSealedSecret({ id, teamId }: WebhookOwner) {
  const secret = makeWebhookSecret();
  const { current } = readSecrets();
  const sealedKey = seal(secret, current, { teamId, provider: toWebhookOwner(id) });
  return { secret, columns: { sealedKey, secretId: current.id, lastFour: secret.slice(-4) } };
}

/** The secret of a webhook; null: no secret of this server opens it. Throws AppError `unavailable`. */
export const openSecret = (row: WebhookOwner & { sealedKey: string; secretId: string }): string | null =>
  openKey({ ...row, provider: toWebhookOwner(row.id) }, readSecrets());
