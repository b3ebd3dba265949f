import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { isTeamMode } from "../auth/team-mode";
import type { Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { logger } from "../log/logger";
import { rememberSecrets } from "../log/secrets";
import { type ConnectionKind, connectionKinds, type EnteredConnections } from "../models/model-port";
import { tellProcesses } from "../runs/store/tell-processes";
import { findSecrets, openKey, recordUseOnce, type SealedRow, unreadableProblem } from "./active";
import { findKeyMistake, lastFourOf } from "./connection-setting";
import { toPersonOwner } from "./seal";
import { storeSealed } from "./secrets";

/** The key of a person at one provider. Holds no key. Times are milliseconds since the epoch. */
export interface PersonalKeyDetail {
  provider: string;
  label: string;
  /** Null: the person has entered none. */
  entered: { lastFour: string; at: number; lastUsedAt: number | null; problem: string | null } | null;
}

export const personalKeySchema = z.strictObject({ key: z.string().trim().min(1, "enter the key").max(8000) });

/** Providers with an address of their own: a person's key is sent nowhere else. */
const kinds = connectionKinds.filter(({ needsKey, ownUrl }) => needsKey && ownUrl !== null);

declare global {
  /** The keys of people, opened, by user. Global because the bundles of a process share it. A change replaces it. */
  var swarmloomPersonalKeys: ReadonlyMap<string, EnteredConnections> | undefined;
}

const nothing: EnteredConnections = new Map();

/** The providers for which a person has entered keys that can be used. */
export const listOwnProviders = (userId: string): string[] =>
  [...(globalThis.swarmloomPersonalKeys?.get(userId) ?? nothing)].flatMap(([provider, { problem }]) =>
    problem === undefined ? [provider] : [],
  );

/** Whose keys a run uses in place of the team's, and for which providers. */
export interface OwnKeys {
  userId: string;
  providers: readonly string[];
}

/** A team's connections, with those of a person in their place for these providers. */
export function withOwnKeys(entered: EnteredConnections, { userId, providers }: OwnKeys): EnteredConnections {
  const own = globalThis.swarmloomPersonalKeys?.get(userId) ?? nothing;
  // A run that was started with a person's key ends without it: the team did not agree to pay for it.
  const removed = {
    apiKey: "",
    baseUrl: "",
    reach: "internet",
    problem: "The run was started with a person's own key, which was removed since.",
  } as const;
  return new Map([...entered, ...providers.map((provider) => [provider, own.get(provider) ?? removed] as const)]);
}

const toSealed = (row: Pick<SealedRow, "provider" | "sealedKey" | "secretId"> & { userId: string }): SealedRow => ({
  ...toPersonOwner(row.userId, row.provider),
  sealedKey: row.sealedKey,
  secretId: row.secretId,
});

/** Reads and opens the keys of all people; runs that start from now on use them, and the log hides them. Throws DatabaseError. */
export async function loadPersonalKeys(db: Db): Promise<void> {
  const rows = await db.personalKey.findMany();
  const secrets = rows.length === 0 ? null : findSecrets();
  const people = new Map<string, Map<string, ReturnType<typeof toConnection>>>();
  for (const row of rows) {
    const own = people.get(row.userId) ?? new Map();
    people.set(row.userId, own.set(row.provider, toConnection(db, row, openKey(toSealed(row), secrets))));
  }
  rememberSecrets([...people.values()].flatMap((own) => [...own.values()].map(({ apiKey }) => apiKey)));
  globalThis.swarmloomPersonalKeys = people;
}

function toConnection(db: Db, { userId, provider }: { userId: string; provider: string }, key: string | null) {
  const note = (lastUsedAt: Date) => db.personalKey.updateMany({ where: { userId, provider }, data: { lastUsedAt } });
  return {
    reach: "internet" as const,
    apiKey: key ?? "",
    baseUrl: "",
    ...(key === null && { problem: unreadableProblem }),
    onUse: () => recordUseOnce(`${userId} ${provider}`, note),
  };
}

/** The person of a request. Throws AppError: `conflict` without accounts, `forbidden` for programs with an API key. */
function requirePerson(viewer: Viewer): string {
  if (!isTeamMode())
    throw new AppError(
      "conflict",
      "Keys of people are for servers with accounts. Enter yours in Settings, Connections.",
    );
  if (viewer.scopes !== null) throw new AppError("forbidden", "Only a person who is signed in has keys of their own.");
  return viewer.id;
}

/** The viewer's keys at all providers that can have one. Throws AppError `conflict`, `forbidden`. */
export async function listPersonalKeys(viewer: Viewer): Promise<PersonalKeyDetail[]> {
  const userId = requirePerson(viewer);
  const rows = await (await getDb()).personalKey.findMany({ where: { userId } });
  const secrets = rows.length === 0 ? null : findSecrets();
  return kinds.map(({ id, label }) => {
    const row = rows.find(({ provider }) => provider === id);
    if (!row) return { provider: id, label, entered: null };
    const problem = openKey(toSealed(row), secrets) === null ? unreadableProblem : null;
    const [at, lastUsedAt] = [row.updatedAt.getTime(), row.lastUsedAt?.getTime() ?? null];
    return { provider: id, label, entered: { lastFour: row.lastFour, at, lastUsedAt, problem } };
  });
}

/** Throws AppError `not_found`. */
function findPersonalKind(provider: string): ConnectionKind {
  const kind = kinds.find(({ id }) => id === provider);
  if (kind) return kind;
  const known = kinds.map(({ id }) => id).join(", ");
  throw new AppError(
    "not_found",
    `There is no provider "${provider.slice(0, 40)}" for keys of people. There are: ${known}.`,
  );
}

/** Sets the viewer's key of a provider. Throws AppError: `bad_request` with what to correct, `not_found`, `conflict`, `forbidden`. */
export async function savePersonalKey(
  viewer: Viewer,
  provider: string,
  { key }: z.infer<typeof personalKeySchema>,
): Promise<PersonalKeyDetail> {
  const userId = requirePerson(viewer);
  const mistake = findKeyMistake(key, findPersonalKind(provider), "");
  if (mistake !== null) throw new AppError("bad_request", `\`key\`: ${mistake}`);
  rememberSecrets([key]);
  const db = await getDb();
  await storeSealed(key, toPersonOwner(userId, provider), (sealed) => {
    const now = new Date();
    const row = { ...sealed, lastFour: lastFourOf(key), updatedAt: now };
    return db.personalKey.upsert({
      where: { userId_provider: { userId, provider } },
      create: { userId, provider, createdAt: now, ...row },
      update: row,
    });
  });
  await announceChange(db);
  logger.info({ by: viewer.id, provider }, "a person's key was saved");
  return findDetail(viewer, provider);
}

/** Removes the viewer's key of a provider; runs that were started with it fail at their next call. Throws AppError as `savePersonalKey` does. */
export async function removePersonalKey(viewer: Viewer, provider: string): Promise<PersonalKeyDetail> {
  const userId = requirePerson(viewer);
  findPersonalKind(provider);
  const db = await getDb();
  await db.personalKey.deleteMany({ where: { userId, provider } });
  await announceChange(db);
  return findDetail(viewer, provider);
}

async function announceChange(db: Db): Promise<void> {
  await loadPersonalKeys(db);
  tellProcesses("settings");
}

async function findDetail(viewer: Viewer, provider: string): Promise<PersonalKeyDetail> {
  const detail = (await listPersonalKeys(viewer)).find((candidate) => candidate.provider === provider);
  if (!detail) throw new AppError("not_found", "There is no such provider.");
  return detail;
}
