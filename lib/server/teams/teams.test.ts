import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { loadViewer } from "../accounts/read-viewer";
import { isFlowOf, isInFlowOf, localViewer, mayInFlow, narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, renameFlow, saveFlow } from "../flows/commands";
import { listFlows } from "../flows/list-flows";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { createTeam, deleteTeam, removeMember, renameTeam, setFlowRole, setMemberRole } from "./commands";
import { exportTeam } from "./export-team";
import {
  acceptInvitation,
  claimInvitation,
  createInvitation,
  describeInvitation,
  listInvitations,
  withdrawInvitation,
} from "./invitations";
import { listFlowMembers, listMembers, listTeams } from "./queries";
import { codeOf, insertTeamOf, insertUser } from "./testing/test-team";
import * as grants from "./withdraw-grants";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());

const source = "name: Shared\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";

async function readAll(pieces: AsyncIterable<string>): Promise<string[]> {
  const texts: string[] = [];
  for await (const piece of pieces) texts.push(piece);
  return texts;
}

describe("invitations", () => {
  test("are used once, by a person with an account", async () => {
    const team = await insertTeamOf(db, {});
    const owner = await team.viewerOf("owner");
    const { token, url } = await createInvitation(owner, team.id, { role: "editor" });
    expect(url).toContain(token);
    expect(await describeInvitation(token)).toMatchObject({ team: "Weavers", role: "editor", invitedBy: "Owner" });
    const guest = await insertUser(db, "Guest");
    expect(await codeOf(acceptInvitation(localViewer, token))).toBe("not_found");
    const both = await Promise.all(
      [guest, guest].map(async (user) => codeOf(acceptInvitation(await loadViewer(db, user), token))),
    );
    expect(both.toSorted()).toEqual(["done", "not_found"]);
    expect((await loadViewer(db, guest)).roles.get(team.id)).toBe("editor");
    expect(await describeInvitation(token)).toBeNull();
    expect(JSON.stringify(await db.invitation.findMany({ where: { teamId: team.id } }))).not.toContain(token);
  });

  test("tell who may not use them for which address they are, but not all of it", async () => {
    const team = await insertTeamOf(db, {});
    const owner = await team.viewerOf("owner");
    const [mia, eve] = [await insertUser(db, "Mia"), await insertUser(db, "Eve")];
    const { token } = await createInvitation(owner, team.id, { role: "viewer", email: mia.email });
    const hint = `${mia.email[0]}…@${mia.email.split("@")[1]}`;
    expect(await describeInvitation(token, eve.email)).toMatchObject({ refusal: { isFor: hint } });
    expect(await describeInvitation(token, mia.email.toUpperCase())).toMatchObject({ refusal: null });
    const noAccount = await describeInvitation(token);
    expect(noAccount).toMatchObject({ refusal: null, isForOneAddress: true });
    expect(JSON.stringify([noAccount, await describeInvitation(token, eve.email)])).not.toContain(mia.email);
    await expect(acceptInvitation(await loadViewer(db, eve), token)).rejects.toThrow(
      `This invitation is for another e-mail address than yours (${hint}). Sign out, and open it again with that one.`,
    );
  });

  test("that someone began to use with another address are for that one", async () => {
    const team = await insertTeamOf(db, {});
    const { token } = await createInvitation(await team.viewerOf("owner"), team.id, { role: "viewer" });
    const eve = await insertUser(db, "Eve");
    expect(await describeInvitation(token, eve.email)).toMatchObject({ refusal: null });
    const [{ id } = { id: "" }] = await db.invitation.findMany({ where: { teamId: team.id } });
    await claimInvitation(db, id, "mia@example.org");
    expect(await describeInvitation(token, eve.email)).toMatchObject({ refusal: { isFor: "m…@example.org" } });
  });

  test("for an address are for no one else, and expired or withdrawn ones for no one", async () => {
    const team = await insertTeamOf(db, {});
    const owner = await team.viewerOf("owner");
    const [mia, eve] = [await insertUser(db, "Mia"), await insertUser(db, "Eve")];
    const invited = await createInvitation(owner, team.id, { role: "viewer", email: mia.email.toUpperCase() });
    expect(await codeOf(acceptInvitation(await loadViewer(db, eve), invited.token))).toBe("not_found");
    const [open] = await listInvitations(narrowToTeam(owner, team.id));
    await withdrawInvitation(owner, team.id, open?.id ?? "");
    expect(await codeOf(acceptInvitation(await loadViewer(db, mia), invited.token))).toBe("not_found");
    const late = await createInvitation(owner, team.id, { role: "viewer" });
    await db.invitation.update({ where: { id: late.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await codeOf(acceptInvitation(await loadViewer(db, mia), late.token))).toBe("not_found");
    for (const token of ["", "x", "null", late.token.slice(1)])
      expect(await codeOf(acceptInvitation(await loadViewer(db, mia), token))).toBe("not_found");
  });

  test("a member keeps the higher role, and no one invites above the own role", async () => {
    const team = await insertTeamOf(db, { admin: "admin", editor: "editor" });
    const admin = await team.viewerOf("admin");
    expect(await codeOf(createInvitation(admin, team.id, { role: "owner" }))).toBe("forbidden");
    expect(await codeOf(createInvitation(await team.viewerOf("editor"), team.id, { role: "viewer" }))).toBe(
      "forbidden",
    );
    const { token } = await createInvitation(admin, team.id, { role: "viewer" });
    const { team: joined } = await acceptInvitation(await team.viewerOf("editor"), token);
    expect(joined.role).toBe("editor");
  });

  test("are not accepted once they are kept for the account that is being made with them", async () => {
    const team = await insertTeamOf(db, {});
    const { id, token } = await createInvitation(await team.viewerOf("owner"), team.id, { role: "editor" });
    const guest = await loadViewer(db, await insertUser(db, "Guest"));
    const claims: boolean[] = [];
    vi.spyOn(grants, "isStillGranted").mockImplementationOnce(async () => {
      claims.push(await claimInvitation(db, id, "new@example.org"));
      return true;
    });
    expect(await codeOf(acceptInvitation(guest, token))).toBe("not_found");
    expect(claims).toEqual([true]);
    // Who may accept it is one thing, who did another.
    expect(await db.invitation.findUnique({ where: { id } })).toMatchObject({
      claimedBy: "new@example.org",
      acceptedBy: null,
    });
    const made = await insertUser(db, "Made");
    await db.user.update({ where: { id: made.id }, data: { email: "new@example.org" } });
    await acceptInvitation(await loadViewer(db, made), token);
    expect(await db.invitation.findUnique({ where: { id } })).toMatchObject({
      claimedBy: "new@example.org",
      acceptedBy: made.id,
    });
    expect(await db.membership.count({ where: { teamId: team.id, userId: guest.id } })).toBe(0);
  });
});

describe("members", () => {
  test("a team always has an Owner, however many leave at once", async () => {
    const team = await insertTeamOf(db, { second: "owner" });
    const owners = [team.userOf("owner"), team.userOf("second")];
    const leaving = await Promise.all(
      owners.map(async (user) => codeOf(removeMember(await loadViewer(db, user), team.id, user.id))),
    );
    expect(leaving.toSorted()).toEqual(["conflict", "done"]);
    expect(await db.membership.count({ where: { teamId: team.id, role: "owner" } })).toBe(1);
  });

  test("Admins change and remove members, but no Owners; others only leave", async () => {
    const team = await insertTeamOf(db, { admin: "admin", editor: "editor", viewer: "viewer" });
    const [admin, editor] = [await team.viewerOf("admin"), await team.viewerOf("editor")];
    const [owner, viewer] = [team.userOf("owner").id, team.userOf("viewer").id];
    expect(await codeOf(setMemberRole(admin, team.id, viewer, "runner"))).toBe("done");
    expect(await codeOf(setMemberRole(admin, team.id, viewer, "owner"))).toBe("forbidden");
    expect(await codeOf(setMemberRole(admin, team.id, owner, "viewer"))).toBe("forbidden");
    expect(await codeOf(removeMember(admin, team.id, owner))).toBe("forbidden");
    expect(await codeOf(setMemberRole(editor, team.id, viewer, "viewer"))).toBe("forbidden");
    expect(await codeOf(removeMember(editor, team.id, viewer))).toBe("forbidden");
    expect(await codeOf(setMemberRole(admin, team.id, "unknown", "viewer"))).toBe("not_found");
    expect(await codeOf(renameTeam(editor, team.id, "Mine"))).toBe("forbidden");
    expect(await codeOf(removeMember(editor, team.id, editor.id))).toBe("done");
    const members = await listMembers(narrowToTeam(admin, team.id));
    expect(members.map(({ name, role }) => [name, role])).toEqual([
      ["admin", "admin"],
      ["Owner", "owner"],
      ["viewer", "runner"],
    ]);
  });

  test("to strangers a team does not exist", async () => {
    const [team, other] = [await insertTeamOf(db, {}), await insertTeamOf(db, {})];
    const stranger = await other.viewerOf("owner");
    const owner = team.userOf("owner").id;
    const refused = [
      createInvitation(stranger, team.id, { role: "viewer" }),
      setMemberRole(stranger, team.id, owner, "viewer"),
      removeMember(stranger, team.id, owner),
      renameTeam(stranger, team.id, "Mine"),
      deleteTeam(stranger, team.id, "Weavers"),
      exportTeam(stranger, team.id),
      withdrawInvitation(stranger, team.id, "x"),
    ];
    expect(new Set(await Promise.all(refused.map(codeOf)))).toEqual(new Set(["not_found"]));
    expect((await listTeams(stranger)).map(({ id }) => id)).toEqual([other.id]);
  });
});

describe("roles", () => {
  test("a role in one flow holds there in place of the team's, and ends with the membership", async () => {
    const team = await insertTeamOf(db, { viewer: "viewer", editor: "editor" });
    const owner = await team.viewerOf("owner");
    const [{ id: open, revision }, { id: closed }] = [
      await createFlow(owner, { source }),
      await createFlow(owner, { source }),
    ];
    await setFlowRole(owner, open, team.userOf("viewer").id, "editor");
    await setFlowRole(owner, closed, team.userOf("editor").id, "viewer");
    const [viewer, editor] = [await team.viewerOf("viewer"), await team.viewerOf("editor")];
    const save = { source: `${source}# more\n`, baseRevision: revision };
    expect(await codeOf(saveFlow(viewer, open, save))).toBe("done");
    expect(await codeOf(renameFlow(viewer, closed, "Mine"))).toBe("not_found");
    expect(await codeOf(renameFlow(editor, closed, "Mine"))).toBe("not_found");
    expect(await codeOf(renameFlow(editor, open, "Ours"))).toBe("done");
    expect((await listFlows(narrowToTeam(editor, team.id))).matching).toBe(2);
    expect(mayInFlow(viewer, { id: open, teamId: team.id }, "flows:write")).toBe(true);
    expect(await listFlowMembers(viewer, open)).toEqual([{ userId: viewer.id, name: "viewer", role: "editor" }]);
    expect(await codeOf(setFlowRole(viewer, open, viewer.id, "editor"))).toBe("forbidden");
    expect(await codeOf(setFlowRole(owner, open, owner.id, "viewer"))).toBe("bad_request");
    const onAccessChanged = vi.fn();
    globalThis.swarmloomRooms = {
      onAccessChanged,
      onSaved: () => {},
      onUpdated: () => {},
      onPresence: () => {},
      onMissed: () => {},
    };
    await removeMember(owner, team.id, viewer.id);
    globalThis.swarmloomRooms = undefined;
    // Open editors are checked at once.
    expect(onAccessChanged).toHaveBeenCalledOnce();
    expect(await codeOf(getFlow(await loadViewer(db, viewer), open))).toBe("not_found");
    expect(await db.flowMembership.count({ where: { userId: viewer.id } })).toBe(0);
  });

  test.each(["admin", "owner"] as const)(
    "a role in one flow does not hold while its member is %s",
    async (teamRole) => {
      const team = await insertTeamOf(db, { member: "editor" });
      const owner = await team.viewerOf("owner");
      const { id } = await createFlow(owner, { source });
      const userId = team.userOf("member").id;
      await setFlowRole(owner, id, userId, "viewer");
      await setMemberRole(owner, team.id, userId, teamRole);
      expect(await codeOf(renameFlow(await team.viewerOf("member"), id, "Mine"))).toBe("done");
      expect(await listFlowMembers(owner, id)).toEqual([]);
      expect(await codeOf(setFlowRole(owner, id, userId, "runner"))).toBe("bad_request");
      await setMemberRole(owner, team.id, userId, "editor");
      expect(await codeOf(renameFlow(await team.viewerOf("member"), id, "Mine"))).toBe("not_found");
      await setMemberRole(owner, team.id, userId, teamRole);
      expect(await codeOf(setFlowRole(owner, id, userId, null))).toBe("done");
      await setMemberRole(owner, team.id, userId, "editor");
      expect(await codeOf(renameFlow(await team.viewerOf("member"), id, "Mine"))).toBe("done");
    },
  );

  test("an invitation to a higher role opens the flows in which the member had a lower one", async () => {
    const team = await insertTeamOf(db, { member: "editor" });
    const owner = await team.viewerOf("owner");
    const { id } = await createFlow(owner, { source });
    await setFlowRole(owner, id, team.userOf("member").id, "viewer");
    const { token } = await createInvitation(owner, team.id, { role: "admin" });
    await acceptInvitation(await team.viewerOf("member"), token);
    expect(await codeOf(renameFlow(await team.viewerOf("member"), id, "Mine"))).toBe("done");
  });

  test("the condition of flows and of what belongs to them is the same", () => {
    const viewer: Viewer = {
      id: "v",
      name: "V",
      roles: new Map([["t", "viewer"]]),
      flowRoles: [{ flowId: "f", teamId: "t", role: "editor" }],
      scopes: null,
    };
    expect(isFlowOf(viewer, "flows:write")).toEqual({ AND: [{ OR: [{ teamId: { in: [] } }, { id: { in: ["f"] } }] }] });
    expect(isInFlowOf(viewer, "runs:write")).toEqual({
      AND: [{ OR: [{ teamId: { in: [] } }, { flowId: { in: ["f"] } }] }],
    });
    const limited = { ...viewer, scopes: new Set(["runs:read" as const]) };
    expect(isInFlowOf(limited, "runs:write")).toEqual({ AND: [{ teamId: { in: [] } }] });
  });
});

describe("teams", () => {
  test("of one person are twenty at most, those that others own left out", async () => {
    const user = await insertUser(db, "Tess");
    for (let count = 0; count < 20; count++) await createTeam(await loadViewer(db, user), `Team ${count}`);
    const tess = await loadViewer(db, user);
    await expect(createTeam(tess, "More")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("own at most 20 teams, found 20"),
    });
    const teamId = [...tess.roles.keys()][0] ?? "";
    await db.membership.updateMany({ where: { teamId, userId: tess.id }, data: { role: "editor" } });
    expect(await codeOf(createTeam(await loadViewer(db, user), "More"))).toBe("done");
  });

  test("are created, exported and deleted with all that is in them, the first one excepted", async () => {
    const user = await insertUser(db, "Nora");
    const { id } = await createTeam(await loadViewer(db, user), "  Knots ");
    const nora = await loadViewer(db, user);
    expect(await db.auditEvent.findMany({ where: { teamId: id } })).toMatchObject([
      { action: "team.created", actorId: nora.id, actorName: "Nora", objectId: id, objectName: "Knots" },
    ]);
    await createFlow(narrowToTeam(nora, id), { source });
    const exported = (await readAll(await exportTeam(nora, id))).join("");
    expect(JSON.parse(exported)).toMatchObject({
      team: { name: "Knots" },
      flows: [{ name: "Shared", revisions: [{ source }] }],
    });
    expect(await codeOf(deleteTeam(nora, id, "Other"))).toBe("bad_request");
    expect(await codeOf(deleteTeam(nora, id, "Knots"))).toBe("done");
    expect(await db.flow.count({ where: { teamId: id } })).toBe(0);
    expect(await listTeams(await loadViewer(db, user))).toEqual([]);
    expect(await codeOf(createTeam(localViewer, "Mine"))).toBe("forbidden");
    expect(await codeOf(deleteTeam(localViewer, "local", "My team"))).toBe("conflict");
    for (const name of ["", " ", "x".repeat(101)]) expect(await codeOf(createTeam(nora, name))).toBe("bad_request");
  });
});
