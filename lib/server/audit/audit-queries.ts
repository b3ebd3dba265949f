import "server-only";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { jsonSchema } from "@/lib/core/flow/schemas/flow-schemas";
import { AppError } from "../app-error";
import { inTeamsOf, requireTeam, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { auditActions, auditObjectTypes } from "./audit-actions";

/** Which entries are meant, as an address has them. All conditions must match. */
export const auditFilterSchema = z.object({
  /** Id of who did it: a user, `key:…`, `schedule:…`, `webhook:…` or `server`. */
  actor: z.string().min(1).max(200).optional(),
  action: z.enum(auditActions).optional(),
  /** Id of what it was done to. */
  object: z.string().min(1).max(200).optional(),
  /** At this moment or later, and before this one. */
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  /** Words that all occur in the names of who did it and of what it was done to. */
  q: z.string().max(200).optional(),
});
export type AuditFilter = z.infer<typeof auditFilterSchema>;

/** An entry of the audit log. `at`: milliseconds since the epoch. */
export const auditEntrySchema = z.object({
  id: z.string(),
  at: z.number(),
  actor: z.object({ id: z.string(), name: z.string() }),
  action: z.enum(auditActions),
  object: z.object({ type: z.enum(auditObjectTypes), id: z.string(), name: z.string() }),
  /** Further facts; neither secrets nor texts of flows and runs. */
  detail: z.record(z.string(), jsonSchema),
});
export type AuditLogEntry = z.infer<typeof auditEntrySchema>;

/** Most entries of one page. */
export const longestAuditPage = 200;

/**
 * The entries of the viewer's team that a filter means, newest first. `next` is the `before` of the following page. Throws
 * AppError: `forbidden` unless the viewer manages the team, `bad_request` when `before` is no place in the list.
 */
export async function listAudit(
  viewer: Viewer,
  { before, limit = 50, ...filter }: AuditFilter & { before?: string | undefined; limit?: number | undefined },
): Promise<{ entries: AuditLogEntry[]; next: string | null }> {
  requireTeam(viewer, "team:manage");
  const size = Math.min(Math.max(limit, 1), longestAuditPage);
  const db = await getDb();
  const rows = await db.auditEvent.findMany({
    where: {
      AND: [inTeamsOf(viewer, "team:manage"), toCondition(filter), before === undefined ? {} : isAfter(before)],
    },
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: size + 1,
    omit: { search: true },
  });
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return {
    entries: page.map(toEntry),
    next: rows.length > size && last ? `${last.at.getTime()}_${last.id}` : null,
  };
}

function toCondition({ actor, action, object, from, to, q = "" }: AuditFilter) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 8);
  return {
    ...(actor !== undefined && { actorId: actor }),
    ...(action !== undefined && { action }),
    ...(object !== undefined && { objectId: object }),
    at: { ...(from !== undefined && { gte: new Date(from) }), ...(to !== undefined && { lt: new Date(to) }) },
    AND: words.map((word) => ({ search: { contains: word } })),
  };
}

function isAfter(cursor: string) {
  const [, time, id] = /^(\d{1,15})_(.{1,100})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new AppError("bad_request", "`before` is not a place in this list: take the `next` of another page.");
  const moment = new Date(Number(time));
  return { OR: [{ at: { lt: moment } }, { at: moment, id: { lt: id } }] };
}

interface AuditRow {
  id: string;
  at: Date;
  actorId: string;
  actorName: string;
  action: string;
  objectType: string;
  objectId: string;
  objectName: string;
  detail: string;
}

const actionSchema = z.enum(auditActions);
const objectTypeSchema = z.enum(auditObjectTypes);
const detailSchema = z.record(z.string(), jsonSchema);

function toEntry({ id, at: moment, action, detail, ...row }: AuditRow): AuditLogEntry {
  return {
    id,
    at: moment.getTime(),
    actor: { id: row.actorId, name: row.actorName },
    action: actionSchema.parse(action),
    object: { type: objectTypeSchema.parse(row.objectType), id: row.objectId, name: row.objectName },
    detail: parseJsonAs(detail, detailSchema),
  };
}

/** Who did something in the viewer's team, by the names of the latest 2,000 entries. Throws AppError `forbidden` unless the viewer manages it. */
export async function listAuditActors(viewer: Viewer): Promise<{ id: string; name: string }[]> {
  requireTeam(viewer, "team:manage");
  const db = await getDb();
  const rows = await db.auditEvent.findMany({
    where: inTeamsOf(viewer, "team:manage"),
    orderBy: [{ at: "desc" }, { id: "desc" }],
    take: 2000,
    select: { actorId: true, actorName: true },
  });
  // Newest first: a renamed user has the latest name.
  const names = new Map(rows.toReversed().map(({ actorId, actorName }) => [actorId, actorName]));
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name));
}
