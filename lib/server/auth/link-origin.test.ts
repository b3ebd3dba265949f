import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { createResetLink } from "../accounts/reset-link";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow } from "../flows/commands";
import { createFlowLink } from "../share-links/share-links";
import { startServices } from "../start";
import { createInvitation } from "../teams/invitations";
import { insertTeamOf } from "../teams/testing/test-team";

const source = "name: Shared\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";
let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
afterEach(() => vi.restoreAllMocks());

const setEnv = (variables: Partial<env.Env>): void => {
  const current = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...current, ...variables });
};

async function prepareLinks() {
  const team = await insertTeamOf(db, { member: "viewer" });
  const owner = await team.viewerOf("owner");
  const { id: flow } = await createFlow(owner, { source });
  return {
    teamId: team.id,
    makers: [
      () => createInvitation(owner, team.id, { role: "viewer" }),
      () => createFlowLink(owner, flow, {}),
      () => createResetLink(owner, team.id, team.userOf("member").id),
    ],
  };
}

test.each(["0.0.0.0", "::"])(
  "a server on HOST=%s makes no links without SWARMLOOM_URL, and stores none",
  async (HOST) => {
    setEnv({ HOST, SWARMLOOM_URL: undefined });
    const { teamId, makers } = await prepareLinks();
    const entries = await db.auditEvent.count({ where: { teamId } });
    for (const make of makers)
      await expect(make()).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining(`(HOST=${HOST}). Its operator sets SWARMLOOM_URL, e.g.`),
      });
    expect(await db.invitation.count({ where: { teamId } })).toBe(0);
    expect(await db.shareLink.count({ where: { teamId } })).toBe(0);
    expect(await db.verification.count()).toBe(0);
    expect(await db.auditEvent.count({ where: { teamId } })).toBe(entries);
  },
);

test.each<[Partial<env.Env>, string]>([
  [{ HOST: "0.0.0.0", SWARMLOOM_URL: "https://flows.example.org" }, "https://flows.example.org/"],
  [{ HOST: "192.168.1.5", SWARMLOOM_URL: undefined }, "http://192.168.1.5:"],
])("a server with an address begins its links with it", async (variables, origin) => {
  setEnv(variables);
  const { makers } = await prepareLinks();
  for (const make of makers) expect((await make()).url.startsWith(origin)).toBe(true);
});
