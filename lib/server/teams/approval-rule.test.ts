import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { toStarterId } from "@/lib/core/run/events/run-starter";
import { recordResetLinkUse } from "../accounts/reset-link-use";
import { requireKeyViewer } from "../auth/api-keys";
import { storeResetLink } from "../auth/reset-link-rows";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import * as env from "../env";
import { createFlow } from "../flows/commands";
import { createKey } from "../keys/keys";
import { createSchedule, deleteSchedule, saveSchedule } from "../schedules/commands";
import { createFlowLink } from "../share-links/share-links";
import { startServices } from "../start";
import { createWebhook, deleteWebhook, renewWebhookSecret } from "../webhooks/commands";
import { assertMayApprove, saveApprovalRule } from "./approval-rule";
import { codeOf, insertTeamOf } from "./testing/test-team";

let db: Db;
beforeAll(async () => {
  db = await startServices();
});
afterAll(() => globalThis.swarmloomServices?.endRuns());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const source = "name: Gate\nagents:\n  a: { model: demo:a }\nswarm: { type: workflow, flow: a }\n";
const times = {
  cron: "0 9 * * *",
  timeZone: "UTC",
  input: "x",
  missed: "skip",
  overlap: false,
  enabled: false,
} as const;

describe("where who started a run may not approve in it", () => {
  const insertTeam = () => insertTeamOf(db, { ann: "editor", ben: "editor" });
  let team: Awaited<ReturnType<typeof insertTeam>>;
  let ann: Viewer;
  let ben: Viewer;
  let flow: string;
  beforeEach(async () => {
    const usual = env.getEnv();
    vi.spyOn(env, "getEnv").mockReturnValue({ ...usual, SWARMLOOM_URL: "https://flows.example.org" });
    team = await insertTeam();
    [ann, ben] = [narrowToTeam(await team.viewerOf("ann"), team.id), narrowToTeam(await team.viewerOf("ben"), team.id)];
    await saveApprovalRule(narrowToTeam(await team.viewerOf("owner"), team.id), { starterMayNotApprove: true });
    flow = (await createFlow(ann, { source })).id;
  });

  const approve = (viewer: Viewer, startedById: string, startedAt = new Date()): Promise<string> =>
    codeOf(assertMayApprove(db, viewer, { teamId: team.id, startedById, startedAt }));
  const webhook = () => ({ flow, name: "Push", inputPath: "", enabled: true });
  const schedule = () => ({ flow, name: "Daily", ...times });

  test("the maker of a webhook is its starter, also once it is deleted, and also who has its new secret", async () => {
    const { id } = (await createWebhook(ann, webhook())).webhook;
    const starter = toStarterId("webhook", id);
    expect([await approve(ann, starter), await approve(ben, starter)]).toEqual(["forbidden", "done"]);
    await renewWebhookSecret(ben, id);
    expect(await approve(ben, starter)).toBe("forbidden");
    await deleteWebhook(ann, id);
    expect(await approve(ann, starter)).toBe("forbidden");
    expect(await approve(await team.viewerOf("owner"), starter)).toBe("done");
  });

  test("who made or changed a schedule is its starter, also once it is deleted", async () => {
    const { id } = await createSchedule(ann, schedule());
    const starter = toStarterId("schedule", id);
    expect([await approve(ann, starter), await approve(ben, starter)]).toEqual(["forbidden", "done"]);
    await saveSchedule(ben, id, schedule());
    await deleteSchedule(ann, id);
    expect([await approve(ann, starter), await approve(ben, starter)]).toEqual(["forbidden", "forbidden"]);
  });

  test("the maker of a share link is the starter of its visitors' runs", async () => {
    const { id } = await createFlowLink(ann, flow, { runs: { most: 1, maxCost: 1 } });
    expect([await approve(ann, `link:${id}`), await approve(ben, `link:${id}`)]).toEqual(["forbidden", "done"]);
  });

  test("the maker of the key with which a webhook was made is its starter", async () => {
    const owner = narrowToTeam(await team.viewerOf("owner"), team.id);
    const { secret } = await createKey(owner, { name: "Key", scopes: ["flows:read", "flows:write"] });
    const { id } = (await createWebhook(await requireKeyViewer(secret), webhook())).webhook;
    expect(await approve(owner, toStarterId("webhook", id))).toBe("forbidden");
    expect(await approve(ann, toStarterId("webhook", id))).toBe("done");
  });

  /** Ben's password is set with a link of the owner, or with a mailed one. */
  async function setPassword(by: "owner" | "mail", at = new Date()): Promise<void> {
    const token = randomUUID();
    const owner = { teamId: team.id, userId: team.userOf("owner").id };
    await storeResetLink(db, { userId: ben.id, token, maker: by === "owner" ? owner : null });
    await recordResetLinkUse(db, token, at);
  }

  /** The owner sets Ben's password with a link, until Ben sets his own with a mailed one, a second after `act`. */
  async function actAsBen<Made>(act: () => Promise<Made>): Promise<Made> {
    await setPassword("owner");
    const made = await act();
    await setPassword("mail", new Date(Date.now() + 1000));
    return made;
  }

  /** Lets the clock be two years on, after Ben has set another password once more. */
  async function skipYears(): Promise<void> {
    const years = new Date(Date.now() + 2 * 365 * 86_400_000);
    await setPassword("mail", years);
    vi.useFakeTimers({ toFake: ["Date"], now: years.getTime() + 1000 });
  }

  test("who set the password of a colleague by a link is that colleague, until it is set with another link", async () => {
    const owner = await team.viewerOf("owner");
    const token = randomUUID();
    await storeResetLink(db, { userId: ben.id, token, maker: { teamId: team.id, userId: owner.id } });
    expect(await approve(ben, owner.id)).toBe("done");
    await recordResetLinkUse(db, token);
    expect([await approve(ben, owner.id), await approve(owner, ben.id)]).toEqual(["forbidden", "forbidden"]);
    expect([await approve(ben, ann.id), await approve(ann, ben.id)]).toEqual(["done", "done"]);
    const startedAt = new Date();
    await setPassword("mail", new Date(Date.now() + 1000));
    await skipYears();
    expect([await approve(ben, owner.id), await approve(owner, ben.id)]).toEqual(["done", "done"]);
    // What the owner started as Ben may still wait.
    expect(await approve(owner, ben.id, startedAt)).toBe("forbidden");
    expect(await approve(ann, ben.id, startedAt)).toBe("done");
  });

  test("what the owner made as a colleague is the owner's for ever, and what the colleague made before or after is not", async () => {
    const owner = await team.viewerOf("owner");
    await db.membership.updateMany({ where: { userId: ben.id }, data: { role: "admin" } });
    const admin = narrowToTeam(await team.viewerOf("ben"), team.id);
    const make = async () => [
      `key:${(await createKey(admin, { name: "Key", scopes: ["flows:read", "runs:write"] })).id}`,
      toStarterId("webhook", (await createWebhook(admin, webhook())).webhook.id),
      toStarterId("schedule", (await createSchedule(admin, schedule())).id),
      `link:${(await createFlowLink(admin, flow, { runs: { most: 1, maxCost: 1 } })).id}`,
    ];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
    const before = await make();
    vi.useRealTimers();
    const made = await actAsBen(make);
    const changed = toStarterId("webhook", (await createWebhook(ann, webhook())).webhook.id);
    await skipYears();
    const after = await make();
    await renewWebhookSecret(admin, changed.slice("webhook:".length));
    for (const starter of made) {
      expect([starter, await approve(owner, starter)]).toEqual([starter, "forbidden"]);
      expect([starter, await approve(ann, starter)]).toEqual([starter, "done"]);
    }
    for (const starter of [...before, ...after, changed])
      expect([starter, await approve(owner, starter)]).toEqual([starter, "done"]);
  });

  test("a webhook that the owner renewed as a colleague is the owner's, also once it is deleted", async () => {
    const { id } = (await createWebhook(ann, webhook())).webhook;
    await actAsBen(() => renewWebhookSecret(ben, id));
    await deleteWebhook(ann, id);
    await skipYears();
    const owner = await team.viewerOf("owner");
    expect(await approve(owner, toStarterId("webhook", id))).toBe("forbidden");
  });

  test("a webhook of a key that the owner made as a colleague is the owner's", async () => {
    await db.membership.updateMany({ where: { userId: ben.id }, data: { role: "admin" } });
    const admin = narrowToTeam(await team.viewerOf("ben"), team.id);
    const { secret } = await actAsBen(() => createKey(admin, { name: "Key", scopes: ["flows:read", "flows:write"] }));
    await db.apiKey.updateMany({ data: { revokedAt: null } });
    const { id } = (await createWebhook(await requireKeyViewer(secret), webhook())).webhook;
    await skipYears();
    expect(await approve(await team.viewerOf("owner"), toStarterId("webhook", id))).toBe("forbidden");
  });

  test("who set the password of a colleague, and as that colleague the next one's, is the last one, too", async () => {
    const owner = await team.viewerOf("owner");
    const setBy = async (maker: string, userId: string) => {
      const token = randomUUID();
      await storeResetLink(db, { userId, token, maker: { teamId: team.id, userId: maker } });
      await recordResetLinkUse(db, token);
    };
    await setBy(owner.id, ben.id);
    await setBy(ben.id, ann.id);
    expect([await approve(owner, ann.id), await approve(ann, owner.id)]).toEqual(["forbidden", "forbidden"]);
    // Also where the links make a circle.
    await setBy(ann.id, owner.id);
    expect([await approve(owner, ann.id), await approve(ann, ben.id)]).toEqual(["forbidden", "forbidden"]);
  });
});
