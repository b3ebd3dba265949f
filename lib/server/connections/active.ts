import "server-only";
import type { Db } from "../db";
import { toReason } from "../db";
import { logger } from "../log/logger";
import { rememberSecrets } from "../log/secrets";
import type { EnteredConnections } from "../models/model-port";
import type { CheckedReach } from "../net/connectable";
import { usesEnvironment } from "../team-env";
import { open } from "./seal";
import { readSecrets, type SealingSecrets } from "./secrets";

/** What connections show that cannot be opened. */
export const unreadableProblem = "Its key cannot be opened any more: enter it again.";

declare global {
  /** What was entered in the app, opened, by team. Global because the bundles of a process share it. A change replaces it. */
  var swarmloomConnections: ReadonlyMap<string, EnteredConnections> | undefined;
}

const nothing: EnteredConnections = new Map();

/** What a team has entered, by provider; the same object until something changes. */
export const enteredConnections = (teamId: string | undefined): EnteredConnections =>
  (teamId !== undefined && globalThis.swarmloomConnections?.get(teamId)) || nothing;

/** The columns that opening a key needs. */
export interface SealedRow {
  teamId: string;
  provider: string;
  sealedKey: string;
  secretId: string;
}

/** The key of a row, empty where it has none; null: it cannot be opened. */
export function openKey(row: SealedRow, secrets: SealingSecrets | null): string | null {
  if (row.sealedKey === "") return "";
  const secret = secrets?.all.get(row.secretId);
  return secret ? open(row.sealedKey, secret, row) : null;
}

/** The secrets; null where they cannot be read, which the log then tells. */
export function findSecrets(): SealingSecrets | null {
  try {
    return readSecrets();
  } catch (error) {
    logger.error({ err: error }, "the secret of the connections cannot be used");
    return null;
  }
}

/**
 * Reads and opens all connections; runs that start from now on use them, and the log hides their keys. Those that cannot be
 * opened stay, unusable. Throws DatabaseError.
 */
export async function loadConnections(db: Db): Promise<void> {
  const secrets = findSecrets();
  const rows = await db.connection.findMany();
  const teams = new Map<string, Map<string, ReturnType<typeof toEntered>>>();
  for (const row of rows) {
    const team = teams.get(row.teamId) ?? new Map();
    teams.set(row.teamId, team.set(row.provider, toEntered(db, row, openKey(row, secrets))));
  }
  rememberSecrets([...teams.values()].flatMap((team) => [...team.values()].map(({ apiKey }) => apiKey)));
  globalThis.swarmloomConnections = teams;
}

function toEntered(db: Db, { id, teamId, baseUrl }: ConnectionRow, key: string | null) {
  return {
    reach: reachOf(teamId),
    apiKey: key ?? "",
    baseUrl,
    ...(key === null && { problem: unreadableProblem }),
    onUse: () => recordUseOnce(id, (lastUsedAt) => db.connection.updateMany({ where: { id }, data: { lastUsedAt } })),
  };
}

/** How far the connections reach that people of a team enter. */
export const reachOf = (teamId: string): CheckedReach => (usesEnvironment(teamId) ? "networks" : "internet");

type ConnectionRow = Record<"id" | "teamId" | "baseUrl", string>;

const usesPerWriteMs = 60_000;
const lastWrites = new Map<string, number>();

/** Notes that a key was used, once a minute at most. */
export function recordUseOnce(id: string, note: (at: Date) => Promise<unknown>): void {
  const now = Date.now();
  if (now - (lastWrites.get(id) ?? 0) < usesPerWriteMs) return;
  lastWrites.set(id, now);
  note(new Date(now)).catch((error: unknown) =>
    logger.warn({ reason: toReason(error) }, "the use of a connection was not noted"),
  );
}
