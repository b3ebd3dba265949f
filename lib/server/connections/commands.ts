import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { inTeamsOf, requireScope, requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { logger } from "../log/logger";
import { rememberSecrets } from "../log/secrets";
import type { EnteredConnection } from "../models/model-port";
import { tellProcesses } from "../runs/store/tell-processes";
import { enteredConnections, loadConnections, reachOf } from "./active";
import { type ConnectionSetting, checkBaseUrl, findKeyMistake, findKind, lastFourOf } from "./connection-setting";
import { findProven } from "./proven-settings";
import { type ConnectionDetail, readConnections } from "./queries";
import { storeSealed } from "./secrets";

/**
 * What a setting comes to together with what is stored. A stored key goes to no other server than the one that it was
 * entered for. Throws AppError `bad_request` with what to correct.
 */
export async function completeSetting(
  teamId: string,
  provider: string,
  { key: text, baseUrl }: ConnectionSetting,
): Promise<Pick<EnteredConnection, "apiKey" | "baseUrl" | "reach">> {
  const kind = findKind(provider);
  const key = text?.trim();
  const stored = enteredConnections(teamId).get(provider);
  const url = baseUrl === undefined ? (stored?.baseUrl ?? "") : await checkBaseUrl(baseUrl, reachOf(teamId));
  const checkedUrl = url === kind.ownUrl ? "" : url;
  if (kind.ownUrl === null && checkedUrl === "")
    throw new AppError("bad_request", "`baseUrl`: enter the address of the server, such as http://127.0.0.1:11434/v1.");
  const mistake = key === undefined || key === "" ? null : findKeyMistake(key, kind, checkedUrl);
  if (mistake !== null) throw new AppError("bad_request", `\`key\`: ${mistake}`);
  rememberSecrets([key ?? ""]);
  if (key !== undefined) {
    if (key === "" && kind.needsKey) throw new AppError("bad_request", "`key`: enter the key.");
    return { apiKey: key, baseUrl: checkedUrl, reach: reachOf(teamId) };
  }
  const hasKey = stored !== undefined && (stored.apiKey !== "" || stored.problem !== undefined);
  if (!hasKey && kind.needsKey) throw new AppError("bad_request", "`key`: enter the key.");
  if (stored?.problem !== undefined) throw new AppError("bad_request", `\`key\`: ${stored.problem}`);
  const isSameServer = originOf(stored?.baseUrl || kind.ownUrl) === originOf(checkedUrl || kind.ownUrl);
  if (hasKey && !isSameServer)
    throw new AppError(
      "bad_request",
      "`key`: the key was entered for another server. Enter it again: a stored key is never sent elsewhere.",
    );
  return { apiKey: stored?.apiKey ?? "", baseUrl: checkedUrl, reach: reachOf(teamId) };
}

const originOf = (url: string | null): string | null =>
  url !== null && URL.canParse(url) ? new URL(url).origin : null;

/**
 * Sets the key and the address of a provider; runs that start from now on use them. Throws AppError: `forbidden` for
 * everybody but administrators, and for an API key that sends texts of flows and runs to another address without the scopes
 * to read them, `not_found` for an unknown provider, `bad_request` with what to correct.
 */
export async function saveConnection(
  viewer: Viewer,
  provider: string,
  setting: ConnectionSetting,
): Promise<ConnectionDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const { apiKey, baseUrl } = await completeSetting(teamId, provider, setting);
  if (baseUrl !== "" && baseUrl !== enteredConnections(teamId).get(provider)?.baseUrl) {
    requireScope(viewer, "flows:read");
    requireScope(viewer, "runs:read");
  }
  const db = await getDb();
  await store(db, viewer, { teamId, provider, apiKey, baseUrl });
  const detail = { hasKey: apiKey !== "", baseUrl };
  await recordAudit(db, viewer, { teamId, action: "connection.saved", object: toObject(provider), detail });
  logger.info({ team: teamId, by: viewer.id, provider, baseUrl }, "connection was saved");
  return findDetail(viewer, provider);
}

interface OpenConnection {
  teamId: string;
  provider: string;
  apiKey: string;
  baseUrl: string;
}

async function store(db: Db, viewer: Viewer, { teamId, provider, apiKey, baseUrl }: OpenConnection): Promise<void> {
  const stored = enteredConnections(teamId).get(provider);
  const isChanged = stored?.apiKey !== apiKey || stored.baseUrl !== baseUrl;
  const provenAt = findProven(teamId, provider, { apiKey, baseUrl });
  const lastUse = isChanged || provenAt ? { lastUsedAt: provenAt } : {};
  await storeSealed(apiKey, { teamId, provider }, (sealed) => {
    const now = new Date();
    const creator = { createdById: viewer.id, createdBy: viewer.name };
    const row = { baseUrl, ...sealed, lastFour: lastFourOf(apiKey), ...creator, ...lastUse, updatedAt: now };
    return db.connection.upsert({
      where: { teamId_provider: { teamId, provider }, ...inTeamsOf(viewer, "team:manage") },
      create: { id: randomUUID(), teamId, provider, createdAt: now, ...row },
      update: row,
    });
  });
  await loadConnections(db);
  tellProcesses("settings");
}

/** Removes what was entered for a provider; the environment's holds again. Throws AppError as `saveConnection` does. */
export async function removeConnection(viewer: Viewer, provider: string): Promise<ConnectionDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const object = toObject(provider);
  const db = await getDb();
  const count = await db.$transaction(async (tx) => {
    const deleted = await tx.connection.deleteMany({
      where: { AND: [{ teamId, provider }, inTeamsOf(viewer, "team:manage")] },
    });
    if (deleted.count > 0) await recordAudit(tx, viewer, { teamId, action: "connection.removed", object });
    return deleted.count;
  });
  await loadConnections(db);
  tellProcesses("settings");
  if (count > 0) logger.info({ team: teamId, by: viewer.id, provider }, "connection was removed");
  return findDetail(viewer, provider);
}

/** A provider in the audit log. Throws AppError `not_found`. */
export const toObject = (provider: string) =>
  ({ type: "connection", id: provider, name: findKind(provider).label }) as const;

async function findDetail(viewer: Viewer, provider: string): Promise<ConnectionDetail> {
  const details = await readConnections(viewer);
  const detail = details.find((candidate) => candidate.provider === provider);
  if (!detail) throw new AppError("not_found", "There is no such provider.");
  return detail;
}
