import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow, renameFlow } from "../flows/commands";
import { nameRevision } from "../flows/revisions";
import { keySchema } from "../keys/key-setting";
import { createKey } from "../keys/keys";
import { quoteName } from "../mail/quote-name";
import { createSchedule } from "../schedules/commands";
import { listSchedules } from "../schedules/queries";
import { scheduleSchema } from "../schedules/schedule-setting";
import { startServices } from "../start";
import { createWebhook } from "../webhooks/commands";
import { webhookSchema } from "../webhooks/webhook-setting";
import { createTeam, renameTeam } from "./commands";
import { codeOf, insertTeamOf } from "./testing/test-team";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());

const insertTeam = () => insertTeamOf(db, {});
let team: Awaited<ReturnType<typeof insertTeam>>;
let owner: Viewer;
let flow: string;
beforeEach(async () => {
  const usual = env.getEnv();
  vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: "https://flows.example.org" });
  team = await insertTeam();
  owner = narrowToTeam(await team.viewerOf("owner"), team.id);
  flow = (await createFlow(owner, { name: "Flow" })).id;
});
afterEach(() => vi.restoreAllMocks());

const hidden = "Pay\u202e\r\nroll\u001b[31m\u200b 👩‍🚀\u{e0041}";
const shown = "Pay roll [31m 👩‍🚀";
const blank = "\u3164\u2800\u200b";

test("names of teams, keys, webhooks, schedules, flows and versions have no characters that hide or break lines", async () => {
  await renameTeam(owner, team.id, hidden);
  await createTeam(owner, hidden);
  await createKey(owner, keySchema.parse({ name: hidden, scopes: ["flows:read"] }));
  await createWebhook(owner, webhookSchema.parse({ flow, name: hidden }));
  await createSchedule(
    owner,
    scheduleSchema.parse({ flow, name: hidden, cron: "0 9 * * *", timeZone: "UTC", input: "" }),
  );
  const { id, revision } = await createFlow(owner, { name: hidden });
  await nameRevision(owner, id, revision, hidden);
  await renameFlow(owner, flow, hidden);
  const written = await createFlow(owner, {
    source: `name: ${JSON.stringify(hidden)}\nagents:\nswarm: { type: workflow }\n`,
  });
  const where = { teamId: team.id };
  const select = { select: { name: true } };
  const rows = [
    await db.team.findMany({ where: { id: team.id }, ...select }),
    await db.team.findMany({ where: { memberships: { some: { userId: owner.id } }, id: { not: team.id } }, ...select }),
    await db.apiKey.findMany({ where, ...select }),
    await db.webhook.findMany({ where, ...select }),
    await db.schedule.findMany({ where, ...select }),
    await db.revision.findMany({ where: { id: revision }, ...select }),
    await db.flow.findMany({ where: { id: { in: [id, flow, written.id] } }, ...select }),
  ];
  for (const each of rows.flat()) expect(each).toEqual({ name: shown });
  expect(rows.flat()).toHaveLength(9);
});

test("names of which nothing can be seen are refused", async () => {
  const times = { cron: "0 9 * * *", timeZone: "UTC", input: "" };
  expect(keySchema.safeParse({ name: blank, scopes: ["flows:read"] }).success).toBe(false);
  expect(webhookSchema.safeParse({ flow, name: blank }).success).toBe(false);
  expect(scheduleSchema.safeParse({ flow, name: blank, ...times }).success).toBe(false);
  expect(await codeOf(renameTeam(owner, team.id, blank))).toBe("bad_request");
  expect(await codeOf(createTeam(owner, blank))).toBe("bad_request");
  expect(await codeOf(renameFlow(owner, flow, blank))).toBe("bad_request");
  const { id } = await createFlow(owner, { source: `name: "${blank}"\nagents:\nswarm: { type: workflow }\n` });
  expect((await db.flow.findUnique({ where: { id } }))?.name).toBe("Untitled flow");
});

test("a row with such a name from before is listed, and its mail has the name without them", async () => {
  const schedule = { flow, name: "Daily", cron: "0 9 * * *", timeZone: "UTC", input: "" };
  const { id } = await createSchedule(owner, scheduleSchema.parse(schedule));
  await db.schedule.update({ where: { id }, data: { name: hidden } });
  expect(await listSchedules(owner)).toMatchObject([{ id, name: hidden }]);
  expect(quoteName(hidden)).toBe(`“${shown}”`);
});
