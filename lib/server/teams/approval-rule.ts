import "server-only";
import { z } from "zod";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { findPersonId } from "../auth/api-keys";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";

/** Who may approve in the runs of a team. */
export const approvalRuleSchema = z.strictObject({
  /** Who started a run may not approve in it, whether by hand or with an API key. */
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
  { teamId, startedById }: { teamId: string; startedById: string },
): Promise<void> {
  const { starterMayNotApprove } = await readRule(db, teamId);
  if (!starterMayNotApprove) return;
  if ((await findPersonId(db, viewer.id)) === (await findPersonId(db, startedById)))
    throw new AppError("forbidden", "You started this run. In this team someone else has to approve it.");
}
