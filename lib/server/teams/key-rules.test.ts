import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createResetLink } from "../accounts/reset-link";
import { requireKeyViewer } from "../auth/api-keys";
import { type Permission, permissions } from "../auth/permissions";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import { removeConnection, saveConnection } from "../connections/commands";
import type { Db } from "../db";
import { createFlow, renameFlow } from "../flows/commands";
import { createKey } from "../keys/keys";
import { startServices } from "../start";
import { saveTraceExport } from "../trace-export/commands";
import { removeMember, setFlowRole, setMemberRole } from "./commands";
import { createInvitation, withdrawInvitation } from "./invitations";
import { codeOf, insertTeamOf } from "./testing/test-team";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());

describe("an API key of an Owner", () => {
  const insertTeam = () => insertTeamOf(db, { admin: "admin", editor: "editor", viewer: "viewer" });
  let team: Awaited<ReturnType<typeof insertTeam>>;
  beforeEach(async () => {
    team = await insertTeam();
  });

  async function makeKey(scopes: Permission[]): Promise<Viewer> {
    const owner = narrowToTeam(await team.viewerOf("owner"), team.id);
    return requireKeyViewer((await createKey(owner, { name: "Key", scopes })).secret);
  }

  test("with team:manage alone has no power over Owners, and makes none", async () => {
    const key = await makeKey(["team:manage"]);
    const [owner, viewer] = [team.userOf("owner").id, team.userOf("viewer").id];
    expect(await codeOf(createResetLink(key, team.id, owner))).toBe("forbidden");
    expect(await codeOf(createInvitation(key, team.id, { role: "owner" }))).toBe("forbidden");
    expect(await codeOf(setMemberRole(key, team.id, owner, "viewer"))).toBe("forbidden");
    expect(await codeOf(removeMember(key, team.id, owner))).toBe("forbidden");
    for (const role of ["admin", "owner"] as const)
      expect(await codeOf(setMemberRole(key, team.id, viewer, role))).toBe("forbidden");
    expect(await codeOf(setMemberRole(key, team.id, viewer, "editor"))).toBe("done");
    expect(await codeOf(removeMember(key, team.id, viewer))).toBe("done");
  });

  test("with every scope makes no reset links, and no invitations above Editor", async () => {
    const key = await makeKey([...permissions]);
    expect(await codeOf(createResetLink(key, team.id, team.userOf("viewer").id))).toBe("forbidden");
    for (const role of ["admin", "owner"] as const)
      expect(await codeOf(createInvitation(key, team.id, { role }))).toBe("forbidden");
    expect(await codeOf(createInvitation(key, team.id, { role: "editor" }))).toBe("done");
    expect(await codeOf(setMemberRole(key, team.id, team.userOf("viewer").id, "admin"))).toBe("done");
  });

  test("takes the role of an Admin or Owner only with every scope of that role", async () => {
    const admin = team.userOf("admin").id;
    const owner = await team.viewerOf("owner");
    const invitation = await createInvitation(owner, team.id, { role: "admin" });
    const withoutOwning = permissions.filter((permission) => permission !== "team:own");
    const withoutRuns = withoutOwning.filter((permission) => permission !== "runs:write");
    for (const scopes of [["team:manage"] as const, ["team:manage", "team:own"] as const, withoutRuns]) {
      const key = await makeKey([...scopes]);
      expect(await codeOf(setMemberRole(key, team.id, admin, "viewer"))).toBe("forbidden");
      expect(await codeOf(removeMember(key, team.id, admin))).toBe("forbidden");
      expect(await codeOf(removeMember(key, team.id, team.userOf("owner").id))).toBe("forbidden");
      expect(await codeOf(withdrawInvitation(key, team.id, invitation.id))).toBe("forbidden");
    }
    const key = await makeKey(withoutOwning);
    expect(await codeOf(withdrawInvitation(key, team.id, invitation.id))).toBe("done");
    expect(await codeOf(setMemberRole(key, team.id, admin, "viewer"))).toBe("done");
  });

  test("sends the team's runs and flows elsewhere only with the scopes to read them", async () => {
    const setting = { endpoint: "https://collector.example.org/v1/traces", headers: {}, content: true, enabled: true };
    const connection = { key: "sk-a-key-of-the-caller-0123456789", baseUrl: "https://models.example.org/v1" };
    const refused: Permission[][] = [["team:manage"], ["team:manage", "flows:read"]];
    for (const scopes of refused) {
      const key = await makeKey(scopes);
      expect(await codeOf(saveTraceExport(key, setting))).toBe("forbidden");
      expect(await codeOf(saveTraceExport(key, { ...setting, content: false }))).toBe("forbidden");
      expect(await codeOf(saveTraceExport(key, { ...setting, content: false, enabled: false }))).toBe("done");
      expect(await codeOf(saveConnection(key, "openai", connection))).toBe("forbidden");
      expect(await codeOf(saveConnection(key, "openai", { key: connection.key }))).toBe("done");
    }
    const reading = await makeKey(["team:manage", "flows:read", "runs:read"]);
    expect(await codeOf(saveTraceExport(reading, setting))).toBe("done");
    expect(await codeOf(saveConnection(reading, "openai", connection))).toBe("done");
    // What is elsewhere already may be ended, and its key replaced.
    const managing = await makeKey(["team:manage"]);
    expect(await codeOf(saveConnection(managing, "openai", { key: connection.key }))).toBe("done");
    expect(await codeOf(removeConnection(managing, "openai"))).toBe("done");
  });

  test("without team:manage changes nothing about members", async () => {
    const key = await makeKey(["team:own", "flows:write", "flows:read"]);
    const viewer = team.userOf("viewer").id;
    expect(await codeOf(setMemberRole(key, team.id, viewer, "runner"))).toBe("forbidden");
    expect(await codeOf(removeMember(key, team.id, viewer))).toBe("forbidden");
    expect(await codeOf(createInvitation(key, team.id, { role: "viewer" }))).toBe("forbidden");
  });
});

describe("an API key in a flow in which its maker has another role than in the team", () => {
  const source = "name: Shared\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";

  test("allows what the maker may do there, also a key that was made with it", async () => {
    const team = await insertTeamOf(db, { maker: "admin" });
    const owner = await team.viewerOf("owner");
    const maker = await team.viewerOf("maker");
    const first = await createKey(maker, { name: "First", scopes: ["team:manage", "flows:read", "flows:write"] });
    const second = await createKey(await requireKeyViewer(first.secret), {
      name: "Second",
      scopes: ["flows:read", "flows:write"],
    });
    const flows = { lowered: "", raised: "", other: "" };
    for (const name of ["lowered", "raised", "other"] as const) flows[name] = (await createFlow(owner, { source })).id;
    await setMemberRole(owner, team.id, maker.id, "editor");
    await setFlowRole(owner, flows.lowered, maker.id, "viewer");
    const renamesOf = async (id: string) =>
      Promise.all(
        [first, second].map(async ({ secret }) => codeOf(renameFlow(await requireKeyViewer(secret), id, "New name"))),
      );
    expect(await renamesOf(flows.lowered)).toEqual(["not_found", "not_found"]);
    expect(await renamesOf(flows.other)).toEqual(["done", "done"]);
    await setMemberRole(owner, team.id, maker.id, "viewer");
    await setFlowRole(owner, flows.raised, maker.id, "editor");
    expect(await renamesOf(flows.raised)).toEqual(["done", "done"]);
    expect(await renamesOf(flows.other)).toEqual(["not_found", "not_found"]);
    await setMemberRole(owner, team.id, maker.id, "admin");
    expect(await renamesOf(flows.lowered)).toEqual(["done", "done"]);
  });
});
