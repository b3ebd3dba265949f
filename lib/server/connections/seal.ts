import "server-only";
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** A secret that seals keys, and the id by which sealed keys name it. The id tells nothing of the secret. */
export interface SealingSecret {
  id: string;
  key: Buffer;
}

/** What a sealed key belongs to: it opens for nothing else. */
export interface SealedFor {
  teamId: string;
  /** A provider, or what `toWebhookOwner` makes. */
  provider: string;
}

/** The owner of what a webhook's requests are signed with, in the place of a provider. */
export const toWebhookOwner = (webhookId: string): string => `webhook ${webhookId}`;

/** The owner of a person's own key of a provider. */
export const toPersonOwner = (userId: string, provider: string): SealedFor => ({
  teamId: "",
  provider: `person ${userId} ${provider}`,
});

/** The owner of a secret that the installation made for itself. */
export const toInstallationOwner = (name: string): SealedFor => ({ teamId: "", provider: `installation ${name}` });

const version = "v1";
const nonceBytes = 12;
const tagBytes = 16;

/** Turns the text of a secret into the key of the cipher. */
export function toSealingSecret(secret: string): SealingSecret {
  const key = Buffer.from(hkdfSync("sha256", secret, "swarmloom", "connections v1", 32));
  const id = createHash("sha256").update("swarmloom secret id").update(key).digest("hex").slice(0, 16);
  return { id, key };
}

const toContext = (secretId: string, { teamId, provider }: SealedFor): Buffer =>
  Buffer.from(JSON.stringify([version, secretId, teamId, provider]));

/** `text` sealed with AES-256-GCM under a nonce of its own: `v1.<nonce>.<text and tag>`, both as base64url. */
export function seal(text: string, secret: SealingSecret, owner: SealedFor): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secret.key, nonce);
  cipher.setAAD(toContext(secret.id, owner));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return [version, nonce.toString("base64url"), sealed.toString("base64url")].join(".");
}

/** The text that was sealed; null: by another secret, for another team or provider, in another format, or it was changed. */
export function open(sealed: string, secret: SealingSecret, owner: SealedFor): string | null {
  const [format, nonceText = "", text = "", ...more] = sealed.split(".");
  const [nonce, bytes] = [Buffer.from(nonceText, "base64url"), Buffer.from(text, "base64url")];
  if (format !== version || more.length > 0 || nonce.length !== nonceBytes || bytes.length < tagBytes) return null;
  try {
    const decipher = createDecipheriv("aes-256-gcm", secret.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(toContext(secret.id, owner));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}
