import "server-only";
import { randomBytes } from "node:crypto";
import { AppError } from "../app-error";
import { openKey } from "../connections/active";
import { seal, toInstallationOwner } from "../connections/seal";
import { readSecrets } from "../connections/secrets";
import { type Db, isUniqueViolation } from "../db";
import { rememberSecrets } from "../log/secrets";

const name = "accounts";

/**
 * The secret with which cookies are signed and second factors are encrypted: made once and stored sealed, so that all
 * processes share it and `rotate-secret` ends no session. Throws AppError `unavailable`.
 */
export async function readAuthSecret(db: Db): Promise<string> {
  const stored = await db.sealedSecret.findUnique({ where: { name } });
  if (stored) return openAuthSecret(stored);
  const { current } = readSecrets();
  const sealedKey = seal(randomBytes(32).toString("base64url"), current, toInstallationOwner(name));
  const row = { name, sealedKey, secretId: current.id };
  try {
    await db.sealedSecret.create({ data: row });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
  }
  return readAuthSecret(db);
}

function openAuthSecret(row: { sealedKey: string; secretId: string }): string {
  const secret = openKey({ ...row, ...toInstallationOwner(name) }, readSecrets());
  if (secret === null)
    throw new AppError(
      "unavailable",
      "The secret that signs sessions cannot be opened: SWARMLOOM_SECRET, or the file `secret` of the data folder, is another one than it was sealed with.",
    );
  rememberSecrets([secret]);
  return secret;
}
