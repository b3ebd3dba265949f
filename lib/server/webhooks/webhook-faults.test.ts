import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { localViewer } from "../auth/viewer";
import { rotateSecret } from "../connections/rotate-secret";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { createWebhook, renewWebhookSecret } from "./commands";
import { getWebhook } from "./queries";
import { sendRequest } from "./testing/send-request";
import { openSecret, storeNewSecret } from "./webhook-secret";

const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
let db: Db;
let flow: { id: string; revision: string };
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(async () => {
  await db.run.deleteMany();
  await db.webhook.deleteMany();
  flow = await createFlow(localViewer, { source });
});
const add = () => createWebhook(localViewer, { flow: flow.id, name: "W", inputPath: "", enabled: true });

test("a repeated id answers the first run although the flow cannot run any more", async () => {
  const hook = await add();
  const first = await sendRequest(hook, { id: "m1" });
  await saveFlow(localViewer, flow.id, {
    source: source.replace("flow: a", "flow: a >> nobody"),
    baseRevision: flow.revision,
  });
  expect(await sendRequest(hook, { id: "m1" })).toEqual(first);
});
test("a repeated id answers the first run although the queue is full", async () => {
  const hook = await add();
  const first = await sendRequest(hook, { id: "m1" });
  const env = (await import("../env")).getEnv();
  vi.spyOn(await import("../env"), "getEnv").mockReturnValue({ ...env, SWARMLOOM_MAX_WAITING: 1 });
  const again = await sendRequest(hook, { id: "m1" });
  vi.restoreAllMocks();
  expect(again).toEqual(first);
});
test("a rightly signed body with a byte order mark is accepted", async () => {
  const hook = await add();
  expect((await sendRequest(hook, { body: "\uFEFF{}" })).status).toBe(202);
});
test("a rightly signed body that is no UTF-8 is not reported as a wrong signature", async () => {
  const hook = await add();
  await sendRequest(hook, { body: Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65]) });
  expect((await getWebhook(localViewer, hook.webhook.id)).lastProblem ?? "").not.toMatch(/not made with the secret/);
});
test("a secret that is stored while a rotation ends still opens", async () => {
  const hook = await add();
  const row = await db.webhook.findFirstOrThrow();
  let calls = 0;
  await storeNewSecret(row, async (columns) => {
    if (calls++ === 0) await rotateSecret(db);
    await db.webhook.update({ where: { id: hook.webhook.id }, data: columns });
  });
  expect(openSecret(await db.webhook.findFirstOrThrow())).not.toBeNull();
});
test("a problem of a signed request is recorded although unsigned ones came just before", async () => {
  const hook = await add();
  await saveFlow(localViewer, flow.id, {
    source: source.replace("flow: a", "flow: a >> nobody"),
    baseRevision: flow.revision,
  });
  await sendRequest(hook, { id: "u", signature: "v1,AAAA" });
  await sendRequest(hook, { id: "s" });
  expect((await getWebhook(localViewer, hook.webhook.id)).lastProblem).toMatch(/cannot run yet/);
});
test("a new secret of a webhook whose flow is in the trash is refused without replacing the present one", async () => {
  await add();
  const before = await db.webhook.findFirstOrThrow();
  await trashFlow(localViewer, flow.id);
  await expect(renewWebhookSecret(localViewer, before.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await db.webhook.findFirstOrThrow()).sealedKey).toBe(before.sealedKey);
});
test("a backup lists the sealed secrets of webhooks", async () => {
  await add();
  const { backUp } = await import("../backup/backup");
  const { getDataFolder } = await import("../env");
  const { keys } = await backUp(`${getDataFolder()}/b-${randomUUID()}.db`, { overwrite: false });
  expect(keys.places.length).toBeGreaterThan(0);
});
test("a repeated old message does not become the last run", async () => {
  const hook = await add();
  await sendRequest(hook, { id: "m1" });
  const second = (await sendRequest(hook, { id: "m2" })).id;
  await sendRequest(hook, { id: "m1" });
  expect((await getWebhook(localViewer, hook.webhook.id)).lastRun?.id).toBe(second);
});
