import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { AppError } from "../app-error";
import { requireKeyViewer } from "../auth/api-keys";
import type { Permission } from "../auth/permissions";
import { localTeamId, localViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow, saveFlow } from "../flows/commands";
import { publishFlow } from "../flows/publish";
import { createSchedule, saveSchedule } from "../schedules/commands";
import { listInGallery } from "../share-links/gallery";
import { createFlowLink } from "../share-links/share-links";
import { startServices } from "../start";
import { exportTeam } from "../teams/export-team";
import { createWebhook, renewWebhookSecret, saveWebhook } from "../webhooks/commands";
import { createKey } from "./keys";

const source = 'name: Hidden\nagents:\n  a: { model: "demo:a", instructions: "Not for you" }\nswarm: { flow: a }\n';
const times = {
  cron: "0 9 * * *",
  timeZone: "UTC",
  input: "x",
  missed: "skip",
  overlap: false,
  enabled: false,
} as const;

let db: Db;
let flow: string;
let revision: string;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(async () => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: "https://flows.example.org" });
  ({ id: flow, revision } = await createFlow(localViewer, { source }));
});
afterEach(() => vi.restoreAllMocks());

const makeKey = async (...scopes: Permission[]): Promise<Viewer> =>
  requireKeyViewer((await createKey(localViewer, { name: "Key", scopes })).secret);
const errorOf = async (request: () => Promise<unknown>): Promise<AppError> => {
  const error = await request().then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error("expected a refusal");
  return error;
};

test("a save over a stale version shows the text only with flows:read", async () => {
  const stale = { source: `${source}# mine\n`, baseRevision: "stale" };
  const toSave = async (...scopes: Permission[]) => {
    const key = await makeKey(...scopes);
    return () => saveFlow(key, flow, stale);
  };
  const blind = await errorOf(await toSave("flows:write"));
  expect([blind.code, blind.details]).toEqual(["conflict", { revision }]);
  const reading = await errorOf(await toSave("flows:write", "flows:read"));
  expect(reading.details).toMatchObject({ revision, source });
});

test("what answers with more than was sent needs flows:read before it takes effect", async () => {
  const key = await makeKey("flows:write");
  const webhook = { flow, name: "Push", inputPath: "", enabled: true };
  const schedule = { flow, name: "Daily", ...times };
  const { id: webhookId } = (await createWebhook(localViewer, webhook)).webhook;
  const { id: scheduleId } = await createSchedule(localViewer, schedule);
  const stored = () =>
    Promise.all([
      db.flow.findUnique({ where: { id: flow } }),
      db.webhook.findMany({ where: { flowId: flow } }),
      db.schedule.findMany({ where: { flowId: flow } }),
      db.auditEvent.count({ where: { teamId: localTeamId, NOT: { action: "key.created" } } }),
    ]);
  const before = await stored();
  for (const request of [
    () => publishFlow(key, flow),
    () => createWebhook(key, webhook),
    () => saveWebhook(key, webhookId, { ...webhook, enabled: false }),
    () => renewWebhookSecret(key, webhookId),
    () => createSchedule(key, schedule),
    () => saveSchedule(key, scheduleId, { ...schedule, name: "Other" }),
  ])
    expect((await errorOf(request)).code).toBe("forbidden");
  expect(await stored()).toEqual(before);
});

test("nothing makes flows readable without flows:read: no export, no link, no gallery", async () => {
  const key = await makeKey("team:manage", "shares:write");
  for (const request of [
    () => exportTeam(key, localTeamId),
    () => createFlowLink(key, flow, {}),
    () => listInGallery(key, flow, true),
  ])
    expect((await errorOf(request)).code).toBe("forbidden");
  expect(await db.shareLink.count({ where: { flowId: flow } })).toBe(0);
});
