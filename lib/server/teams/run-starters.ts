import "server-only";
import type { AuditAction } from "../audit/audit-actions";
import { findKeyMaker } from "../auth/api-keys";
import { type HeldPeriod, listHeldPeriods } from "../auth/reset-link-rows";
import type { Db } from "../db";

type StarterDb = Pick<Db, "apiKey" | "auditEvent" | "resetLink" | "schedule" | "shareLink" | "webhook">;

const maker = { createdById: true, createdAt: true } as const;

/** Where the maker of something that starts runs is stored, and the audit entries of those who decided what it starts. */
const starterKinds = {
  webhook: {
    actions: ["webhook.created", "webhook.changed", "webhook.renewed"],
    find: (db, where) => db.webhook.findFirst({ where, select: maker }),
  },
  schedule: {
    actions: ["schedule.created", "schedule.changed"],
    find: (db, where) => db.schedule.findFirst({ where, select: maker }),
  },
  link: {
    actions: ["share.created"],
    find: (db, where) => db.shareLink.findFirst({ where, select: maker }),
  },
} as const satisfies Record<string, StarterKind>;

interface StarterKind {
  actions: readonly AuditAction[];
  find(db: StarterDb, where: { id: string; teamId: string }): Promise<{ createdById: string; createdAt: Date } | null>;
}

/** What someone did: as whom, and whether it was in a period. */
interface Act {
  actorId: string;
  isWithin(period: HeldPeriod): boolean | Promise<boolean>;
}

const toActAt = (actorId: string, at: Date): Act => ({
  actorId,
  isWithin: ({ from, until }) => from <= at && (until === null || at < until),
});

/** Who started a run or approved something, and when. */
export interface Actor {
  id: string;
  at: Date;
}

/**
 * The users who count as who started a run, or as who approves, at a time: the user, or the maker of the API key; who
 * created or changed the webhook or schedule, also one that was deleted; who made the share link. And who could sign in as
 * one of these users at the time of what counts, as `listHeldPeriods` tells, for ever, and as the maker of that link, and so on.
 */
export async function listUsersBehind(db: StarterDb, teamId: string, actors: readonly Actor[]): Promise<Set<string>> {
  const users = new Set<string>();
  const links = new Set<string>();
  let acts = (await Promise.all(actors.map((actor) => listActs(db, teamId, actor)))).flat();
  while (acts.length > 0) {
    const before: Act[] = [];
    for (const act of await Promise.all(acts.map((each) => toPersonalAct(db, each)))) {
      users.add(act.actorId);
      for (const period of await listHeldPeriods(db, act.actorId)) {
        if (links.has(period.link) || !(await act.isWithin(period))) continue;
        links.add(period.link);
        before.push(toActAt(period.makerId, period.from));
      }
    }
    acts = before;
  }
  return users;
}

/** What was done with an API key counts from when the key was made: later, its maker's password does not give its secret. */
async function toPersonalAct(db: StarterDb, act: Act): Promise<Act> {
  const maker = await findKeyMaker(db, act.actorId);
  return maker === null ? act : toActAt(maker.userId, maker.at);
}

async function listActs(db: StarterDb, teamId: string, starter: Actor): Promise<Act[]> {
  const [, name = "", id = ""] = /^(webhook|schedule|link):(.*)$/.exec(starter.id) ?? [];
  const kind = toKind(name);
  if (kind === null) return [toActAt(starter.id, starter.at)];
  const row = await kind.find(db, { id, teamId });
  const where = { teamId, objectId: id, action: { in: [...kind.actions] } };
  const entries = await db.auditEvent.findMany({ where, distinct: ["actorId"], select: { actorId: true } });
  const recorded = entries.map(({ actorId }) => ({
    actorId,
    isWithin: async ({ from, until }: HeldPeriod) => {
      const at = { gte: from, ...(until !== null && { lt: until }) };
      return (await db.auditEvent.findFirst({ where: { ...where, actorId, at }, select: { id: true } })) !== null;
    },
  }));
  return [...(row ? [toActAt(row.createdById, row.createdAt)] : []), ...recorded];
}

const toKind = (name: string): StarterKind | null =>
  name === "webhook" || name === "schedule" || name === "link" ? starterKinds[name] : null;
