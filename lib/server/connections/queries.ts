import "server-only";
import { recordAuditSometimes, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { getDb, toDatabaseError } from "../db";
import type { Env } from "../env";
import { logger } from "../log/logger";
import { redact } from "../log/redact";
import { listKeys } from "../log/secrets";
import { type ConnectionKind, connectionKinds } from "../models/model-port";
import { getTeamEnv } from "../team-env";
import { findSecrets, openKey, unreadableProblem } from "./active";
import { lastFourOf } from "./connection-setting";

/** Of a connection what its page shows. Holds no key. Times are milliseconds since the epoch. */
export interface ConnectionDetail {
  provider: string;
  label: string;
  /** Where it comes from: an entered one takes the place of the environment's as a whole. Null: it is not set up. */
  source: "entered" | "environment" | null;
  /** Why it cannot be used although it is set up; null: nothing is known against it. */
  problem: string | null;
  hasKey: boolean;
  /** Of its key; empty for short keys. */
  lastFour: string;
  /** Where the provider is asked; null while it has no address. */
  baseUrl: string | null;
  /** The provider's own address; null: it has none, and one must be entered. */
  ownUrl: string | null;
  needsKey: boolean;
  /** Who entered it, and when. */
  enteredBy: string | null;
  enteredAt: number | null;
  /** Of an entered one; null: it was not used yet. */
  lastUsedAt: number | null;
  /** Variables of the environment that connect it, and whether they do. */
  environment: { key: string; url: string; isSet: boolean };
}

/** All providers with their connections; the look is recorded. Throws AppError `forbidden` unless the viewer manages its team. */
export async function listConnections(viewer: Viewer): Promise<ConnectionDetail[]> {
  const teamId = requireTeam(viewer, "team:manage");
  const object = toTeamObject(teamId);
  const entry = { teamId, action: "connection.listed", object } as const;
  await recordAuditSometimes(await getDb(), viewer, entry).catch(continueWithoutWrites);
  return readConnections(viewer);
}

/** The settings can be read also while the database takes no write. Throws any other error. */
function continueWithoutWrites(error: unknown): void {
  const fault = toDatabaseError(error);
  if (!fault) throw error;
  logger.warn({ reason: fault.message }, "a look at the connections was not recorded");
}

/** The same without a record, for what follows a change that has one. */
export async function readConnections(viewer: Viewer): Promise<ConnectionDetail[]> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const rows = await db.connection.findMany({ where: { teamId } });
  const secrets = rows.some(({ sealedKey }) => sealedKey !== "") ? findSecrets() : null;
  return connectionKinds.map((kind) => {
    const row = rows.find(({ provider }) => provider === kind.id);
    const detail = describeKind(kind, getTeamEnv(teamId));
    if (!row) return detail;
    return {
      ...detail,
      source: "entered",
      problem: openKey(row, secrets) === null ? unreadableProblem : null,
      hasKey: row.sealedKey !== "",
      lastFour: row.lastFour,
      baseUrl: row.baseUrl || kind.ownUrl,
      enteredBy: row.createdBy,
      enteredAt: row.updatedAt.getTime(),
      lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    };
  });
}

/** A provider with what an environment has for it. */
function describeKind(kind: ConnectionKind, env: Env): ConnectionDetail {
  const { id: provider, label, keyVariable, urlVariable, ownUrl, needsKey } = kind;
  const { [keyVariable]: key = "", [urlVariable]: url = "" } = env;
  const isSet = (needsKey ? key : url) !== "";
  return {
    provider,
    label,
    source: isSet ? "environment" : null,
    problem: null,
    hasKey: isSet && key !== "",
    lastFour: isSet ? lastFourOf(key) : "",
    baseUrl: isSet && url !== "" ? redact(url, listKeys()) : ownUrl,
    ownUrl,
    needsKey,
    enteredBy: null,
    enteredAt: null,
    lastUsedAt: null,
    environment: { key: keyVariable, url: urlVariable, isSet },
  };
}
