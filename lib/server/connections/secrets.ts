import "server-only";
import { randomBytes, randomUUID } from "node:crypto";
import { chmodSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { AppError } from "../app-error";
import { getDataFolder, getEnv } from "../env";
import { rememberSecrets } from "../log/secrets";
import { type SealedFor, type SealingSecret, seal, toSealingSecret } from "./seal";

/** The secrets of this server: what is sealed from now on is sealed with `current`; sealed keys open with any of `all`. */
export interface SealingSecrets {
  current: SealingSecret;
  all: ReadonlyMap<string, SealingSecret>;
}

/** Files of the data folder, for servers without `SWARMLOOM_SECRET`: the secret, and the one that a rotation is about to put in its place. */
const fileOf = (name: "secret" | "secret.next"): string => path.join(/* turbopackIgnore: true */ getDataFolder(), name);

/**
 * The secrets as they are now, read anew each time: a rotation may have replaced them. Makes the first one.
 * Throws AppError `unavailable` when the file cannot be read or made, or does not hold a secret.
 */
export function readSecrets(): SealingSecrets {
  const { SWARMLOOM_SECRET: configured, SWARMLOOM_OLD_SECRET: previous } = getEnv();
  const stored = configured === undefined ? (readSecretFile("secret") ?? makeSecretFile("secret")) : null;
  const texts = [configured ?? stored, previous, stored ?? tryRead("secret"), tryRead("secret.next")];
  const known = texts.filter((text) => text !== undefined && text !== null);
  rememberSecrets(known);
  const secrets = known.map(toSealingSecret);
  const [current] = secrets;
  if (!current) throw new AppError("unavailable", "There is no secret to seal keys with.");
  return { current, all: new Map(secrets.map((secret) => [secret.id, secret])) };
}

/** The columns of a sealed text; empty for an empty one. */
export type SealedColumns = Record<"sealedKey" | "secretId", string>;

/**
 * Seals a text and stores its columns. A rotation may replace the secret of the server at the same moment: what is stored then is
 * sealed again. `store` may be called several times. Throws AppError `unavailable`.
 */
export async function storeSealed(
  text: string,
  owner: SealedFor,
  store: (columns: SealedColumns) => Promise<unknown>,
): Promise<void> {
  for (;;) {
    const { current } = readSecrets();
    const isEmpty = text === "";
    await store({ sealedKey: isEmpty ? "" : seal(text, current, owner), secretId: isEmpty ? "" : current.id });
    if (readSecrets().all.has(current.id)) return;
  }
}

/** A secret that this server has, and where an operator finds it. */
export interface SecretPlace {
  id: string;
  /** The name of a variable or the path of a file. */
  place: string;
  type: "variable" | "file";
}

/** Where the secrets of this server are. Makes none, unlike `readSecrets`. */
export function listSecretPlaces(): SecretPlace[] {
  const { SWARMLOOM_SECRET, SWARMLOOM_OLD_SECRET } = getEnv();
  const texts = [
    ...Object.entries({ SWARMLOOM_SECRET, SWARMLOOM_OLD_SECRET }).map(
      ([place, text]) => ({ type: "variable", place, text }) as const,
    ),
    ...(["secret", "secret.next"] as const).map(
      (name) => ({ type: "file", place: fileOf(name), text: tryRead(name) }) as const,
    ),
  ];
  return texts.flatMap(({ type, place, text }) =>
    text === undefined ? [] : [{ type, place, id: toSealingSecret(text).id }],
  );
}

/** The secret that a rotation seals with: that of the environment, else a new one beside the present one, kept from an interrupted rotation. */
export function prepareNextSecret(): SealingSecret {
  const { SWARMLOOM_SECRET: configured } = getEnv();
  const next = configured ?? readSecretFile("secret.next") ?? makeSecretFile("secret.next");
  rememberSecrets([next]);
  return toSealingSecret(next);
}

/** Ends a rotation: nothing is sealed with the old secret any more. */
export function adoptNextSecret(): void {
  if (getEnv().SWARMLOOM_SECRET === undefined) renameSync(fileOf("secret.next"), fileOf("secret"));
  else for (const name of ["secret", "secret.next"] as const) rmSync(fileOf(name), { force: true });
}

/** Whatever the file's state: where the environment has the secret, the file is of use for old keys only. */
function tryRead(name: "secret" | "secret.next"): string | undefined {
  try {
    return readSecretFile(name);
  } catch {
    return undefined;
  }
}

function readSecretFile(name: "secret" | "secret.next"): string | undefined {
  const file = fileOf(name);
  try {
    if (!statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false })) return undefined;
    chmodSync(file, 0o600);
    const text = readFileSync(/* turbopackIgnore: true */ file, "utf8").trim();
    if (text.length >= 16) return text;
  } catch (error) {
    throw new AppError("unavailable", `The secret in ${file} cannot be read: ${reasonOf(error)}.`);
  }
  throw new AppError(
    "unavailable",
    `${file} does not hold the secret any more. Restore it from a backup; or delete it, restart the server, and enter the keys again.`,
  );
}

/** Writes it beside its place first and links it there: no process ever reads half a secret or replaces one. */
function makeSecretFile(name: "secret" | "secret.next"): string {
  const file = fileOf(name);
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    try {
      linkSync(draft, file);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    throw new AppError("unavailable", `The secret that seals keys cannot be written to ${file}: ${reasonOf(error)}.`);
  }
  const made = readSecretFile(name);
  if (made === undefined) throw new AppError("unavailable", `${file} was removed while it was made. Try again.`);
  return made;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "an unknown error";
