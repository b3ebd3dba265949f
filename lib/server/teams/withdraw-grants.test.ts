import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadViewer } from "../accounts/read-viewer";
import { requireKeyViewer } from "../auth/api-keys";
import { type Permission, permissions, type Role } from "../auth/permissions";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createKey, revokeKey } from "../keys/keys";
import { startServices } from "../start";
import { removeMember, setMemberRole } from "./commands";
import { acceptInvitation, createInvitation, describeInvitation, listInvitations } from "./invitations";
import { codeOf, insertTeamOf, insertUser } from "./testing/test-team";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());

const makeKey = async (viewer: Viewer, teamId: string, scopes: Permission[]) => {
  const { id, secret } = await createKey(narrowToTeam(viewer, teamId), { name: "Key", scopes });
  return { id, viewer: await requireKeyViewer(secret) };
};

const accept = async (token: string): Promise<string> => {
  const guest = await insertUser(db, "Guest");
  return codeOf(acceptInvitation(await loadViewer(db, guest), token));
};

describe("invitations that were made before", () => {
  test("a removed Admin does not return by one, not even by one of a key of a key", async () => {
    const team = await insertTeamOf(db, { admin: "admin" });
    const [owner, admin] = [await team.viewerOf("owner"), await team.viewerOf("admin")];
    const key = await makeKey(
      admin,
      team.id,
      [...permissions].filter((permission) => permission !== "team:own"),
    );
    const keyOfKey = await makeKey(key.viewer, team.id, ["team:manage"]);
    const tokens = [];
    for (const viewer of [admin, key.viewer, keyOfKey.viewer])
      tokens.push((await createInvitation(viewer, team.id, { role: "editor" })).token);
    const kept = (await createInvitation(owner, team.id, { role: "editor" })).token;
    await removeMember(owner, team.id, admin.id);
    for (const token of tokens) {
      expect(await describeInvitation(token)).toBeNull();
      expect(await accept(token)).toBe("not_found");
    }
    expect(await listInvitations(narrowToTeam(owner, team.id))).toHaveLength(1);
    expect(await accept(kept)).toBe("done");
  });

  test("someone who is removed does not return by one that is for the own address", async () => {
    const team = await insertTeamOf(db, { editor: "editor" });
    const [owner, { id, email }] = [await team.viewerOf("owner"), team.userOf("editor")];
    const { token } = await createInvitation(owner, team.id, { role: "admin", email });
    await removeMember(owner, team.id, id);
    expect(await codeOf(acceptInvitation(await team.viewerOf("editor"), token))).toBe("not_found");
  });

  test("someone who leaves withdraws them too", async () => {
    const team = await insertTeamOf(db, { admin: "admin" });
    const admin = await team.viewerOf("admin");
    const { token } = await createInvitation(admin, team.id, { role: "admin" });
    await removeMember(admin, team.id, admin.id);
    expect(await accept(token)).toBe("not_found");
  });

  test.each<[Role, string[]]>([
    ["admin", ["done", "not_found"]],
    ["editor", ["not_found", "not_found"]],
  ])("an Owner who becomes %s keeps those that the new role allows", async (role, outcomes) => {
    const team = await insertTeamOf(db, { second: "owner" });
    const second = await team.viewerOf("second");
    const asAdmin = await createInvitation(second, team.id, { role: "admin" });
    const asOwner = await createInvitation(second, team.id, { role: "owner" });
    await setMemberRole(await team.viewerOf("owner"), team.id, second.id, role);
    expect([await accept(asAdmin.token), await accept(asOwner.token)]).toEqual(outcomes);
  });

  test("one that was being made while its maker was removed opens nothing", async () => {
    const team = await insertTeamOf(db, { admin: "admin" });
    const [owner, admin] = [await team.viewerOf("owner"), await team.viewerOf("admin")];
    await removeMember(owner, team.id, admin.id);
    // The viewer was read before the removal.
    const { token } = await createInvitation(admin, team.id, { role: "admin" });
    expect(await accept(token)).toBe("not_found");
  });

  test("one of a key opens nothing once that key is revoked", async () => {
    const team = await insertTeamOf(db, {});
    const owner = await team.viewerOf("owner");
    const key = await makeKey(owner, team.id, ["team:manage"]);
    const { token } = await createInvitation(key.viewer, team.id, { role: "editor" });
    await revokeKey(owner, key.id);
    expect(await accept(token)).toBe("not_found");
  });
});
