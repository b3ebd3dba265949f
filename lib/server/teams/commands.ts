import "server-only";
import { toDisplayName } from "@/lib/core/flow/list/display-name";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { mayHaveFlowRole } from "../auth/load-roles";
import { type Role, roleSchema } from "../auth/permissions";
import { localTeamId, mayInTeam, narrowToTeam, requireTeam, type Viewer } from "../auth/viewer";
import { loadConnections } from "../connections/active";
import { type Db, getDb, inOneState } from "../db";
import { getLiveFlow } from "../flows/queries";
import { tellAccessChanged } from "../flows/tell-rooms";
import { logger } from "../log/logger";
import { assertMayManageRole } from "./member-rules";
import { insertTeam, longestTeamName } from "./team-rows";
import { withdrawGrants, withdrawMadeLinks } from "./withdraw-grants";

/** Teams that a person is in at most. */
const mostTeams = 100;
/** Teams that one person owns: each has its own limits of runs, triggers and storage. */
const maxOwnTeams = 20;

const noSuchMember = () => new AppError("not_found", "The team has no such member.");

function readName(text: string): string {
  const name = toDisplayName(text);
  if (name === "" || name.length > longestTeamName)
    throw new AppError(
      "bad_request",
      `\`name\`: expected 1 to ${longestTeamName} characters that can be seen, found ${name.length}.`,
    );
  return name;
}

/** Creates a team that the viewer owns. Throws AppError: `bad_request`, `forbidden` for a viewer without an account, `conflict` too many. */
export async function createTeam(viewer: Viewer, name: string): Promise<{ id: string; name: string; role: Role }> {
  const db = await getDb();
  const teamName = readName(name);
  const user = viewer.scopes === null && (await db.user.findUnique({ where: { id: viewer.id }, select: { id: true } }));
  if (!user) throw new AppError("forbidden", "Only a person with an account can create a team.");
  if (viewer.roles.size >= mostTeams)
    throw new AppError("conflict", `A person is in at most ${mostTeams} teams. Leave one first.`);
  // In one state with links for a new password: one that is made meanwhile would reach the new team.
  const { id } = await inOneState(db, async (tx) => {
    const ownTeams = await tx.membership.count({ where: { userId: viewer.id, role: "owner" } });
    if (ownTeams >= maxOwnTeams)
      throw new AppError(
        "conflict",
        `Expected a person to own at most ${maxOwnTeams} teams, found ${ownTeams}. Delete one, or hand it on.`,
      );
    await withdrawMadeLinks(tx, viewer.id);
    return insertTeam(tx, { name: teamName, owner: viewer });
  });
  return { id, name: teamName, role: "owner" };
}

/** Throws AppError: `not_found`, `forbidden`, `bad_request`. */
export async function renameTeam(viewer: Viewer, teamId: string, name: string): Promise<void> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  const db = await getDb();
  const data = { name: readName(name) };
  const object = { type: "team", id: teamId, name: data.name } as const;
  await db.$transaction(async (tx) => {
    await tx.team.updateMany({ where: { id: teamId }, data });
    await recordAudit(tx, viewer, { teamId, action: "team.renamed", object });
  });
}

/**
 * Gives a member another role; giving the role Owner hands the team on. What was made with the role before is withdrawn as
 * `withdrawGrants` does. Throws AppError: `not_found`, `forbidden` for a role
 * above the viewer's, `conflict` when no Owner would be left.
 */
export async function setMemberRole(viewer: Viewer, teamId: string, userId: string, role: Role): Promise<void> {
  requireTeam(narrowToTeam(viewer, teamId), "team:manage");
  assertMayManageRole(viewer, teamId, role);
  await changeMember(teamId, userId, async (tx, present) => {
    assertMayManageRole(viewer, teamId, present);
    await tx.membership.update({ where: { teamId_userId: { teamId, userId } }, data: { role } });
    await withdrawGrants(tx, { teamId, userId, role });
    const object = await findMemberObject(tx, userId);
    await recordAudit(tx, viewer, { teamId, action: "member.changed", object, detail: { from: present, to: role } });
  });
  logger.info({ team: teamId, by: viewer.id, user: userId, role }, "a member got another role");
}

/** Removes a member from a team, and withdraws as `withdrawGrants` does; everyone may leave. Throws AppError as `setMemberRole` does. */
export async function removeMember(viewer: Viewer, teamId: string, userId: string): Promise<void> {
  const member = narrowToTeam(viewer, teamId);
  if (userId !== viewer.id) requireTeam(member, "team:manage");
  await changeMember(teamId, userId, async (tx, present) => {
    if (userId !== viewer.id) assertMayManageRole(viewer, teamId, present);
    await tx.membership.delete({ where: { teamId_userId: { teamId, userId } } });
    await tx.flowMembership.deleteMany({ where: { userId, flow: { teamId } } });
    await withdrawGrants(tx, { teamId, userId, role: null });
    const object = await findMemberObject(tx, userId);
    await recordAudit(tx, viewer, { teamId, action: "member.removed", object });
  });
  logger.info({ team: teamId, by: viewer.id, user: userId }, "a member was removed");
}

type Transaction = Pick<
  Db,
  "membership" | "flowMembership" | "user" | "auditEvent" | "apiKey" | "invitation" | "resetLink" | "verification"
>;

async function findMemberObject(tx: Transaction, userId: string) {
  const user = await tx.user.findUnique({ where: { id: userId }, select: { name: true } });
  return { type: "member", id: userId, name: user?.name ?? "" } as const;
}

/** Changes one membership so that an Owner is left, however many do it at once. */
async function changeMember(
  teamId: string,
  userId: string,
  change: (tx: Transaction, present: Role) => Promise<void>,
): Promise<void> {
  const db = await getDb();
  await inOneState(db, async (tx) => {
    const present = await tx.membership.findUnique({ where: { teamId_userId: { teamId, userId } } });
    if (!present) throw noSuchMember();
    await change(tx, roleSchema.parse(present.role));
    if ((await tx.membership.count({ where: { teamId, role: "owner" } })) === 0)
      throw new AppError("conflict", "A team needs an Owner. Give another member this role first, or delete the team.");
  });
  tellAccessChanged();
}

/**
 * Gives a member another role in one flow than in the team; null: the team's holds again. Throws AppError: `not_found`,
 * `forbidden`, `bad_request` for another role of Owners and Admins, whose role holds in every flow.
 */
export async function setFlowRole(viewer: Viewer, flowId: string, userId: string, role: Role | null): Promise<void> {
  const { teamId, name } = await getLiveFlow(viewer, "flows:read", flowId);
  if (!mayInTeam(viewer, teamId, "team:manage"))
    throw new AppError("forbidden", "Only Admins of the team decide who may do what in a flow.");
  const db = await getDb();
  await inOneState(db, async (tx) => {
    const member = await tx.membership.findUnique({ where: { teamId_userId: { teamId, userId } } });
    if (!member) throw noSuchMember();
    if (role === null) await tx.flowMembership.deleteMany({ where: { flowId, userId } });
    else {
      if (!mayHaveFlowRole(roleSchema.parse(member.role)) || !mayHaveFlowRole(role))
        throw new AppError(
          "bad_request",
          "`role`: Admins and Owners keep their role in all flows. Expected viewer, runner, editor or null.",
        );
      const key = { flowId_userId: { flowId, userId } };
      await tx.flowMembership.upsert({ where: key, create: { flowId, userId, role }, update: { role } });
    }
    const object = { type: "flow", id: flowId, name } as const;
    await recordAudit(tx, viewer, { teamId, action: "flow.shared", object, detail: { user: userId, role } });
  });
  tellAccessChanged();
}

/**
 * Deletes a team with its flows, runs and settings, for good. `name` confirms which. Throws AppError: `not_found`,
 * `forbidden` unless the viewer owns it, `bad_request` for another name, `conflict` for the first team, and while runs are under way.
 */
export async function deleteTeam(viewer: Viewer, teamId: string, name: string): Promise<void> {
  requireTeam(narrowToTeam(viewer, teamId), "team:own");
  if (teamId === localTeamId)
    throw new AppError("conflict", "The first team of an installation stays. Delete its flows, or remove its members.");
  const db = await getDb();
  const team = await db.team.findUnique({ where: { id: teamId }, select: { name: true } });
  if (team?.name !== name.trim())
    throw new AppError("bad_request", "`name`: expected the name of the team, to confirm that it is deleted.");
  const underWay = await db.run.count({ where: { teamId, status: { in: ["INIT", "RUNNING", "WAITING", "PAUSED"] } } });
  if (underWay > 0) throw new AppError("conflict", "Runs of this team are under way. Cancel them first.");
  const remove = { where: { teamId } };
  await db.$transaction([
    db.flow.deleteMany(remove),
    db.connection.deleteMany(remove),
    db.traceExport.deleteMany(remove),
    db.retention.deleteMany(remove),
    db.apiKey.deleteMany(remove),
    db.teamSetting.deleteMany(remove),
    db.deletedRunUsage.deleteMany(remove),
    db.auditEvent.deleteMany(remove),
    db.team.delete({ where: { id: teamId } }),
  ]);
  tellAccessChanged();
  await loadConnections(db);
  logger.info({ team: teamId, by: viewer.id }, "a team was deleted");
}
