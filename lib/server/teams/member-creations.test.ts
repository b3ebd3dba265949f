import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { requireKeyViewer } from "../auth/api-keys";
import { narrowToTeam } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow } from "../flows/commands";
import { createKey } from "../keys/keys";
import { createSchedule } from "../schedules/commands";
import { createFlowLink, revokeLink } from "../share-links/share-links";
import { startServices } from "../start";
import { createWebhook, saveWebhook } from "../webhooks/commands";
import { listMemberCreations } from "./member-creations";
import { codeOf, insertTeamOf } from "./testing/test-team";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
beforeEach(() => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: "https://flows.example.org" });
});
afterEach(() => vi.restoreAllMocks());

const source = "name: Left behind\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";
const times = {
  cron: "0 9 * * *",
  timeZone: "UTC",
  input: "x",
  missed: "skip",
  overlap: false,
  enabled: true,
} as const;

test("what goes on after a member has left is listed: open links, webhooks and schedules, also those of keys", async () => {
  const team = await insertTeamOf(db, { admin: "admin", editor: "editor" });
  const [owner, admin, editor] = [
    await team.viewerOf("owner"),
    narrowToTeam(await team.viewerOf("admin"), team.id),
    await team.viewerOf("editor"),
  ];
  const { id: flow } = await createFlow(admin, { source });
  const { secret } = await createKey(admin, { name: "Key", scopes: ["flows:read", "flows:write"] });
  const key = await requireKeyViewer(secret);
  const link = await createFlowLink(admin, flow, {});
  const closed = await createFlowLink(admin, flow, {});
  await revokeLink(admin, closed.id);
  await createFlowLink(owner, flow, {});
  const setting = { flow, name: "Push", inputPath: "", enabled: true };
  const { webhook } = await createWebhook(key, setting);
  const { webhook: off } = await createWebhook(admin, setting);
  await saveWebhook(admin, off.id, { ...setting, enabled: false });
  const schedule = await createSchedule(admin, { flow, name: "Daily", ...times });
  const expected = [
    { type: "link", id: link.id, name: "Left behind", flowId: flow, runId: null },
    { type: "webhook", id: webhook.id, name: "Push", flowId: flow, runId: null },
    { type: "schedule", id: schedule.id, name: "Daily", flowId: flow, runId: null },
  ];
  expect(await listMemberCreations(owner, team.id, admin.id)).toEqual(expected);
  expect(await listMemberCreations(admin, team.id, admin.id)).toEqual(expected);
  expect(await codeOf(listMemberCreations(editor, team.id, admin.id))).toBe("forbidden");
  const { viewerOf } = await insertTeamOf(db, {});
  expect(await codeOf(listMemberCreations(await viewerOf("owner"), team.id, admin.id))).toBe("not_found");
});
