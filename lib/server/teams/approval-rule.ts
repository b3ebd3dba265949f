import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { listUsersBehind } from "./run-starters";

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

/** Throws AppError `forbidden` where the rule of the run's team keeps the viewer from approving in it. */
export async function assertMayApprove(
  db: Db,
  viewer: Viewer,
  { teamId, startedById, startedAt }: { teamId: string; startedById: string; startedAt: Date },
): Promise<void> {
  const { starterMayNotApprove } = await readRule(db, teamId);
  if (!starterMayNotApprove) return;
  const [approvers, starters] = await Promise.all([
    listUsersBehind(db, teamId, { id: viewer.id, at: new Date() }),
    listUsersBehind(db, teamId, { id: startedById, at: startedAt }),
  ]);
  if ([...approvers].some((id) => starters.has(id)))
    throw new AppError("forbidden", describeRefusal(viewer.id, startedById));
}

function describeRefusal(viewerId: string, startedById: string): string {
  const reason =
    viewerId === startedById
      ? "You started this run."
      : "You count as the starter of this run: you made the key, webhook, schedule or share link that started it, or you set the password of someone who did.";
  return `${reason} In this team someone else has to approve it.`;
}
