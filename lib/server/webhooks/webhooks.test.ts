import { beforeAll, beforeEach, expect, test } from "vitest";
import { localViewer, toTeamViewer } from "../auth/viewer";
import { rotateSecret } from "../connections/rotate-secret";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { restoreFlow, trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { createWebhook, deleteWebhook, renewWebhookSecret, saveWebhook } from "./commands";
import { getWebhook, listWebhooks } from "./queries";
import { readInput } from "./receive";
import { signMessage, toleranceSeconds } from "./signature";
import { sendRequest } from "./testing/send-request";
import { type WebhookSetting, webhookSchema } from "./webhook-setting";

const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });
const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
let db: Db;
let flow: { id: string; revision: string };
let setting: WebhookSetting;

beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(async () => {
  await db.run.deleteMany();
  await db.webhook.deleteMany();
  flow = await createFlow(localViewer, { source });
  setting = { flow: flow.id, name: "Tickets", inputPath: "", enabled: true };
});

const add = (changes: Partial<WebhookSetting> = {}) => createWebhook(localViewer, { ...setting, ...changes });
const listRuns = () => db.run.findMany({ orderBy: { createdAt: "asc" } });

test("a signed request starts a run on its body, behind the runs of people", async () => {
  const hook = await add();
  const { status, id } = await sendRequest(hook);
  expect(status).toBe(202);
  expect(await listRuns()).toMatchObject([
    {
      id,
      flowId: flow.id,
      input: "A printer is on fire.",
      priority: 10,
      startedById: `webhook:${hook.webhook.id}`,
      startedBy: "Webhook “Tickets”",
    },
  ]);
  expect(await getWebhook(localViewer, hook.webhook.id)).toMatchObject({
    lastRun: { id, status: "INIT" },
    lastProblem: null,
  });
});

test("signatures are those of the example of Standard Webhooks", () => {
  const message = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330", body: '{"test": 2432232314}' };
  expect(signMessage(message, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")).toBe(
    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  );
});

test("a request that comes again, at once or later, starts one run", async () => {
  const hook = await add();
  const answers = await Promise.all([1, 2, 3, 4].map(() => sendRequest(hook, { id: "msg_1" })));
  answers.push(await sendRequest(hook, { id: "msg_1" }));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(answers.every(({ status }) => status === 202)).toBe(true);
  await sendRequest(hook, { id: "msg_2" });
  expect(await listRuns()).toHaveLength(2);
});

test.each<[string, Parameters<typeof sendRequest>[1], RegExp]>([
  ["no id", { headers: { "webhook-id": "" } }, /were not all there/],
  ["no signature", { headers: { "webhook-signature": "" } }, /were not all there/],
  ["an id with a dot", { id: "a.b" }, /without a dot/],
  ["no number as time", { headers: { "webhook-timestamp": "now" } }, /not a number/],
  [
    "a time that was changed",
    { headers: { "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 1) } },
    /secret/,
  ],
  ["an old time", { late: -toleranceSeconds - 5 }, /more than 5 minutes/],
  ["a future time", { late: toleranceSeconds + 5 }, /more than 5 minutes/],
  ["another signature", { signature: "v1,AAAA v1a,BBBB" }, /not made with the secret/],
  ["an id that was changed", { headers: { "webhook-id": "msg_other" } }, /not made with the secret/],
])("refuses %s like an unknown address, and shows the reason to its owner", async (_, sending, reason) => {
  const hook = await add();
  const refused = await sendRequest(hook, sending);
  const unknown = await sendRequest({ ...hook, webhook: { ...hook.webhook, path: "/api/hooks/none" } });
  expect([refused.status, refused.text]).toEqual([404, unknown.text]);
  expect(await listRuns()).toEqual([]);
  expect((await getWebhook(localViewer, hook.webhook.id)).lastProblem).toMatch(reason);
});

test("one signature of several is enough, while a sender changes its secret", async () => {
  const hook = await add();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const right = signMessage({ id: "m", timestamp, body: "x" }, hook.secret);
  const headers = { "webhook-timestamp": timestamp };
  expect((await sendRequest(hook, { id: "m", body: "x", signature: `v1,AAAA ${right}`, headers })).status).toBe(202);
});

test("a body that is too large is refused before it is read to its end", async () => {
  const hook = await add();
  expect((await sendRequest(hook, { body: "x".repeat(500_001) })).status).toBe(413);
  expect((await sendRequest(hook, { body: "x".repeat(500_000) })).status).toBe(202);
});

test("the input is the value at the path of its setting", async () => {
  const hook = await add({ inputPath: "data.messages.0.text" });
  expect((await sendRequest(hook, { body: '{"data":{"messages":[{"text":"Hello"}]}}' })).status).toBe(202);
  const missing = await sendRequest(hook, { body: '{"data":{}}' });
  expect([missing.status, missing.text]).toEqual([400, expect.stringContaining("no value at `data.messages.0.text`")]);
  expect((await sendRequest(hook, { body: "no JSON" })).status).toBe(400);
  expect(await listRuns()).toMatchObject([{ input: "Hello" }]);
  expect(readInput('{"a":{"b":[1,null]}}', "a")).toBe('{"b":[1,null]}');
  for (const path of ["a.__proto__", "a.constructor", "a.b.length", "a.b.9"])
    expect(() => readInput('{"a":{"b":[1]}}', path)).toThrow("no value");
  for (const path of [".a", "a.", "a..b"])
    expect(webhookSchema.safeParse({ ...setting, inputPath: path }).success).toBe(false);
});

test("a webhook that is switched off, or whose flow cannot run or is in the trash, starts none", async () => {
  const hook = await add({ enabled: false });
  expect((await sendRequest(hook)).status).toBe(409);
  await saveWebhook(localViewer, hook.webhook.id, setting);
  await saveFlow(localViewer, flow.id, {
    source: source.replace("flow: a", "flow: a >> nobody"),
    baseRevision: flow.revision,
  });
  await db.webhook.updateMany({ data: { lastProblemAt: null } });
  expect((await sendRequest(hook)).status).toBe(400);
  expect((await getWebhook(localViewer, hook.webhook.id)).lastProblem).toMatch(/cannot run yet/);
  await trashFlow(localViewer, flow.id);
  expect((await sendRequest(hook)).status).toBe(404);
  expect(await listWebhooks(localViewer)).toEqual([]);
  await restoreFlow(localViewer, flow.id);
  expect(await listWebhooks(localViewer)).toHaveLength(1);
  expect(await listRuns()).toEqual([]);
});

test("a secret is sealed, shown once, and replaced at once", async () => {
  const hook = await add();
  expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const stored = JSON.stringify([await db.webhook.findMany(), await listWebhooks(localViewer)]);
  expect(stored).not.toContain(hook.secret.slice(6, -4));
  const renewed = await renewWebhookSecret(localViewer, hook.webhook.id);
  expect(renewed.webhook.path).toBe(hook.webhook.path);
  expect((await sendRequest(hook)).status).toBe(404);
  expect((await sendRequest(renewed)).status).toBe(202);
});

test("a rotation seals the secrets of webhooks anew", async () => {
  const hook = await add();
  const before = await db.webhook.findFirstOrThrow();
  expect(await rotateSecret(db)).toEqual({ sealed: 1, unreadable: [] });
  const after = await db.webhook.findFirstOrThrow();
  expect(after.secretId).not.toBe(before.secretId);
  expect((await sendRequest(hook)).status).toBe(202);
  await db.webhook.updateMany({ data: { secretId: "lost" } });
  expect(await rotateSecret(db)).toEqual({ sealed: 0, unreadable: ['the webhook "Tickets"'] });
  expect((await sendRequest(hook)).status).toBe(404);
  expect((await getWebhook(localViewer, hook.webhook.id)).lastProblem).toMatch(/Make a new one/);
});

test("belongs to its team: others neither see, change, renew nor delete it, nor open a flow of it to requests", async () => {
  const { webhook } = await add();
  expect(await listWebhooks(stranger)).toEqual([]);
  for (const action of [
    () => saveWebhook(stranger, webhook.id, setting),
    () => renewWebhookSecret(stranger, webhook.id),
    () => deleteWebhook(stranger, webhook.id),
    () => createWebhook(stranger, setting),
  ])
    await expect(action()).rejects.toMatchObject({ code: "not_found" });
  await saveWebhook(localViewer, webhook.id, { ...setting, name: "Incidents" });
  expect(await listWebhooks(localViewer)).toMatchObject([{ name: "Incidents", path: webhook.path }]);
  await deleteWebhook(localViewer, webhook.id);
  expect(await listWebhooks(localViewer)).toEqual([]);
});
