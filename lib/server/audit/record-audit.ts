import "server-only";
import { randomUUID } from "node:crypto";
import type { JsonObject } from "@/lib/core/flow/flow";
import type { Viewer } from "../auth/viewer";
import type { Db } from "../db";
import type { AuditAction, AuditObjectType } from "./audit-actions";

/** What was done, and to what. Holds neither secrets nor texts of flows and runs. */
export interface AuditEntry {
  teamId: string;
  action: AuditAction;
  object: { type: AuditObjectType; id: string; name: string };
  detail?: JsonObject;
}

type Actor = Pick<Viewer, "id" | "name">;
/** The database, or the transaction of the change that is recorded. */
type AuditDb = Pick<Db, "auditEvent">;

/** What acts where no one asked for it. */
export const serverActor: Actor = { id: "server", name: "Server" };

/** The object of what concerns a team as a whole. */
export const toTeamObject = (teamId: string): AuditEntry["object"] => ({ type: "team", id: teamId, name: "Team" });

/** The row of an entry, for changes that store several together. */
export function toAuditRow(actor: Actor, { teamId, action, object, detail = {} }: AuditEntry) {
  const [actorName, objectName] = [actor.name.slice(0, 200), object.name.slice(0, 200)];
  return {
    id: randomUUID(),
    teamId,
    at: new Date(),
    actorId: actor.id,
    actorName,
    action,
    objectType: object.type,
    objectId: object.id,
    objectName,
    detail: JSON.stringify(detail),
    search: `${actorName}\n${objectName}`.toLowerCase(),
  };
}

/** Adds an entry to the audit log, in the transaction of the change where there is one. */
export async function recordAudit(db: AuditDb, actor: Actor, entry: AuditEntry): Promise<void> {
  await db.auditEvent.create({ data: toAuditRow(actor, entry) });
}

/** How long further entries of the same actor, action and object are left out, in milliseconds. */
export const repeatMs = 600_000;

/** Adds an entry for what is done often, e.g. saved while a user types: at most one every ten minutes. */
export async function recordAuditSometimes(db: AuditDb, actor: Actor, entry: AuditEntry): Promise<void> {
  const { teamId, action, object } = entry;
  const recent = await db.auditEvent.findFirst({
    where: {
      teamId,
      objectId: object.id,
      at: { gt: new Date(Date.now() - repeatMs) },
      action,
      actorId: actor.id,
    },
    select: { id: true },
  });
  if (!recent) await recordAudit(db, actor, entry);
}
