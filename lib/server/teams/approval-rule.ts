import "server-only";
import { z } from "zod";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { type Actor, listUsersBehind } from "./run-starters";

/** Who may approve in the runs of a team. */
export const approvalRuleSchema = z.strictObject({
  /** Who started a run, as `listUsersBehind` tells, may not approve in it. */
  starterMayNotApprove: z.boolean(),
});
export type ApprovalRule = z.infer<typeof approvalRuleSchema>;

/** The rule of the viewer's team. Throws AppError `forbidden` unless the viewer manages it. */
export async function getApprovalRule(viewer: Viewer): Promise<ApprovalRule> {
  return readRule(await getDb(), requireTeam(viewer, "team:manage"));
}

/** Throws AppError `forbidden` unless the viewer manages the team. */
export async function saveApprovalRule(viewer: Viewer, rule: ApprovalRule): Promise<ApprovalRule> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  await db.$transaction(async (tx) => {
    await tx.teamSetting.upsert({ where: { teamId }, create: { teamId, ...rule }, update: rule });
    const object = toTeamObject(teamId);
    await recordAudit(tx, viewer, { teamId, action: "approvals.changed", object, detail: { ...rule } });
  });
  return rule;
}

async function readRule(db: Pick<Db, "teamSetting">, teamId: string): Promise<ApprovalRule> {
  const row = await db.teamSetting.findUnique({ where: { teamId } });
  return { starterMayNotApprove: row?.starterMayNotApprove ?? false };
}

interface StartedRun {
  teamId: string;
  startedById: string;
  startedAt: Date;
}

/** Throws AppError `forbidden` where the rule of the run's team keeps the viewer from approving in it. */
export async function assertMayApprove(db: Db, viewer: Viewer, run: StartedRun): Promise<void> {
  const reason = await findRefusal(db, viewer, run);
  if (reason !== null) throw new AppError("forbidden", `${reason} In this team someone else has to approve it.`);
}

/**
 * Throws AppError `forbidden` where the viewer may not approve in a run in which something was approved, or waits for that: a
 * message to an agent changes what was shown.
 */
export async function assertMayChangeApproved(db: Db, viewer: Viewer, run: StartedRun & { id: string }): Promise<void> {
  const where = { runId: run.id, kind: "approval", status: { in: ["WAITING", "SUCCESS"] } };
  if ((await db.runNode.findFirst({ where, select: { nodeId: true } })) === null) return;
  const reason = await findRefusal(db, viewer, run);
  if (reason !== null)
    throw new AppError(
      "forbidden",
      `${reason} An approval of it holds for what was shown, so that someone else in this team has to send this message.`,
    );
}

/** Why the viewer may not approve in the run; null: it may. */
async function findRefusal(
  db: Db,
  viewer: Viewer,
  { teamId, startedById, startedAt }: StartedRun,
): Promise<string | null> {
  const { starterMayNotApprove } = await readRule(db, teamId);
  if (!starterMayNotApprove || !(await isAmong(db, teamId, viewer, [{ id: startedById, at: startedAt }]))) return null;
  return viewer.id === startedById
    ? "You started this run."
    : "You count as the starter of this run: you made the key, webhook, schedule or share link that started it, or you set the password of someone who did.";
}

/** Whether the viewer counts as one of the actors. */
async function isAmong(db: Db, teamId: string, viewer: Viewer, actors: readonly Actor[]): Promise<boolean> {
  const [now, then] = await Promise.all([
    listUsersBehind(db, teamId, [{ id: viewer.id, at: new Date() }]),
    listUsersBehind(db, teamId, actors),
  ]);
  return [...now].some((id) => then.has(id));
}

/** Detail of an audit entry of the approval of a gate. */
const gateApprovalSchema = z.object({
  step: z.string(),
  type: z.literal("approval"),
  decision: z.literal("approved"),
});

interface ReusedApprovals {
  teamId: string;
  /** Paths of the gates. */
  gates: readonly string[];
  /** The runs in which they were approved. */
  listRuns(): Promise<string[]>;
}

/**
 * Whether an approval of one of the gates does not count for the viewer as the starter of another run that reuses it, by the
 * rule of the team: the viewer gave it, or the audit log does not have who did.
 */
export async function hasOwnApproval(
  db: Db,
  viewer: Viewer,
  { teamId, gates, listRuns }: ReusedApprovals,
): Promise<boolean> {
  const { starterMayNotApprove } = await readRule(db, teamId);
  if (!starterMayNotApprove) return false;
  const entries = await db.auditEvent.findMany({
    where: { teamId, objectId: { in: await listRuns() }, action: "run.answered" },
    select: { actorId: true, at: true, detail: true },
  });
  const approvals = entries.flatMap(({ actorId, at, detail }) => {
    const approval = findJsonAs(detail, gateApprovalSchema);
    return approval && gates.includes(approval.step) ? [{ id: actorId, at, gate: approval.step }] : [];
  });
  const known = new Set(approvals.map(({ gate }) => gate));
  return gates.some((gate) => !known.has(gate)) || isAmong(db, teamId, viewer, approvals);
}
