import "server-only";
import { type Db, oneState } from "../db";
import { loadConnections, openKey } from "./active";
import { seal } from "./seal";
import { adoptNextSecret, prepareNextSecret, readSecrets } from "./secrets";

export interface Rotation {
  /** Keys that are sealed with the new secret now. */
  sealed: number;
  /** Providers whose keys no known secret opens; they stay as they are. */
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
    const rows = (await tx.connection.findMany()).filter(({ sealedKey }) => sealedKey !== "");
    const unreadable: string[] = [];
    for (const row of rows) {
      const key = openKey(row, secrets);
      if (key === null) unreadable.push(row.provider);
      else
        await tx.connection.update({
          where: { id: row.id },
          data: { sealedKey: seal(key, next, row), secretId: next.id },
        });
    }
    return { sealed: rows.length - unreadable.length, unreadable };
  }, oneState);
  adoptNextSecret();
  await loadConnections(db);
  return rotation;
}
