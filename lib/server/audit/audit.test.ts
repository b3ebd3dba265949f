import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import { readTemplates } from "@/lib/templates/files";
import { loadViewer } from "../accounts/read-viewer";
import { createResetLink } from "../accounts/reset-link";
import { joinFirstTeam } from "../accounts/sign-up-rules";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import { changeComment, createComment, deleteComment } from "../comments/commands";
import { removeConnection, saveConnection } from "../connections/commands";
import { listConnections } from "../connections/queries";
import { testConnection } from "../connections/test-connection";
import type { Db } from "../db";
import { createFlow, duplicateFlow, renameFlow, saveFlow, setFlowTags } from "../flows/commands";
import { confirmReach } from "../flows/flow-reach";
import { publishFlow, unpublishFlow } from "../flows/publish";
import { nameRevision } from "../flows/revisions";
import { purgeFlow, purgeTrash, restoreFlow, trashDays, trashFlow } from "../flows/trash";
import { createKey, revokeKey } from "../keys/keys";
import { saveRetention } from "../retention/retention";
import { answerQuestion, cancelRun, startRun } from "../runs/commands";
import { forkRun, retryRun } from "../runs/fork";
import { pauseRun, resumeRun } from "../runs/pause";
import { exportRuns } from "../runs/read/export-csv";
import { exportRunFile, exportTrace } from "../runs/read/export-run";
import { getRun } from "../runs/read/queries";
import { tellAgent } from "../runs/tell-agent";
import { createSchedule, deleteSchedule, saveSchedule } from "../schedules/commands";
import { copyPublicFlow, listInGallery } from "../share-links/gallery";
import { createFlowLink, revokeLink } from "../share-links/share-links";
import { startServices } from "../start";
import { saveApprovalRule } from "../teams/approval-rule";
import { createTeam, removeMember, renameTeam, setFlowRole, setMemberRole } from "../teams/commands";
import { exportTeam } from "../teams/export-team";
import { acceptInvitation, createInvitation, withdrawInvitation } from "../teams/invitations";
import { noTeamLimits, saveTeamLimits } from "../teams/team-limits";
import { saveToolRules } from "../tools/tool-rules";
import { saveTraceExport, sendTestSpan } from "../trace-export/commands";
import { createWebhook, deleteWebhook, renewWebhookSecret, saveWebhook } from "../webhooks/commands";
import { sendRequest } from "../webhooks/testing/send-request";
import { auditActions } from "./audit-actions";
import { listAudit, listAuditActors } from "./audit-queries";
import { exportAudit } from "./export-audit";
import { recordAudit, repeatMs } from "./record-audit";

const ada = toTeamViewer({ id: "ada", name: "Ada" }, { teamId: localTeamId, role: "owner" });
const editor = toTeamViewer({ id: "ed", name: "Ed" }, { teamId: localTeamId, role: "editor" });
const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });

/** What no entry may contain. */
const flowText = "Instructions that stay private";
const inputText = "An input that stays private";
const providerKey = "sk-proj-0123456789abcdefghijkl";
const toSource = (name: string, model = "demo:a") =>
  `name: ${name}\nagents:\n  a: { model: "${model}", instructions: "${flowText}" }\nswarm: { flow: a }\n`;

let db: Db;
beforeAll(async () => {
  process.env.SWARMLOOM_URL = "https://looms.example";
  db = await startServices();
});

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
const actionsOf = async (objectId: string): Promise<string[]> =>
  (await db.auditEvent.findMany({ where: { objectId }, orderBy: [{ at: "asc" }] })).map(({ action }) => action).sort();

async function until(run: string, isRight: (status: RunStatus) => boolean) {
  for (;;) {
    const detail = await getRun(localViewer, run);
    if (isRight(detail.status)) return detail;
    await sleepFor(5);
  }
}

/** A run of the template with an approval that waits for it. */
async function startWaiting(viewer = ada) {
  const { id: flow } = await createFlow(ada, { source: readTemplates().get("approval") });
  const { id } = await startRun(viewer, flow, { input: inputText });
  const { state } = await until(id, (status) => status === "WAITING");
  const node = state.nodes.find(({ status }) => status === "WAITING");
  if (!node?.question) throw new Error("no step waits");
  return { id, node: node.id, question: node.question.number };
}

/** The number of the question that a run asks after another one. */
async function waitForQuestion(id: string, after: number): Promise<number> {
  for (;;) {
    const { state } = await until(id, (status) => status === "WAITING");
    const number = state.nodes.find(({ status }) => status === "WAITING")?.question?.number ?? 0;
    if (number > after) return number;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function changeFlows(): Promise<void> {
  const { id, revision } = await createFlow(ada, { source: toSource("One") });
  const saved = await saveFlow(ada, id, { source: toSource("Two"), baseRevision: revision });
  await nameRevision(ada, id, saved.revision, "Good");
  await publishFlow(ada, id);
  await unpublishFlow(ada, id);
  const target = { type: "revision", id: saved.revision } as const;
  const { id: commentId } = await createComment(ada, id, { body: inputText, target, reviewers: ["ada"] });
  await changeComment(ada, commentId, { decision: "approved" });
  await deleteComment(ada, commentId);
  const link = await createFlowLink(ada, id, {});
  await revokeLink(ada, link.id);
  await confirmReach(ada, id, []);
  await listInGallery(ada, id, true);
  await copyPublicFlow(ada, { flow: id });
  await listInGallery(ada, id, false);
  expect(await actionsOf(link.id)).toEqual(["share.created", "share.revoked"]);
  await renameFlow(ada, id, "Three");
  await setFlowTags(ada, id, ["tag"]);
  await trashFlow(ada, id);
  await restoreFlow(ada, id);
  await trashFlow(ada, id);
  await purgeFlow(ada, id);
  expect(await actionsOf(id)).toEqual(
    [
      "flow.created",
      "flow.changed",
      "revision.named",
      "flow.published",
      "flow.unpublished",
      "flow.listed",
      "flow.confirmed",
      "flow.unlisted",
      "review.requested",
      "review.decided",
      "comment.deleted",
      "flow.renamed",
      "flow.tagged",
      "flow.trashed",
      "flow.restored",
      "flow.trashed",
      "flow.purged",
    ].sort(),
  );
  const original = await createFlow(ada, { source: toSource("Original") });
  const copy = await duplicateFlow(ada, original.id);
  expect(await actionsOf(copy.id)).toEqual(["flow.duplicated"]);
}

async function changeRuns(): Promise<void> {
  const { id, node, question } = await startWaiting();
  await tellAgent(ada, id, "sender", inputText);
  await pauseRun(ada, id);
  await resumeRun(ada, id);
  await answerQuestion(localViewer, id, node, { question, decision: "approved", text: inputText });
  // The message came after the question.
  const asked = await waitForQuestion(id, question);
  await answerQuestion(localViewer, id, node, { question: asked, decision: "approved", text: inputText });
  await until(id, isTerminal);
  await cancelRun(ada, id);
  await exportRunFile(ada, id);
  await exportTrace(ada, id, { content: true });
  expect(await actionsOf(id)).toEqual(
    [
      ...["run.started", "run.messaged", "run.paused", "run.resumed"],
      ...["run.answered", "run.answered", "run.exported", "run.exported"],
    ].sort(),
  );
  const fork = await forkRun(ada, id, { node: 2, input: inputText });
  await until(fork.id, (status) => isTerminal(status) || status === "WAITING");
  await cancelRun(ada, fork.id);
  await until(fork.id, isTerminal);
  const retry = await retryRun(ada, fork.id);
  await cancelRun(ada, retry.id);
  expect(await actionsOf(fork.id)).toEqual(["run.cancelled", "run.forked"]);
  expect((await actionsOf(retry.id)).slice(-1)).toEqual(["run.retried"]);
  await exportRuns(ada, {});
}

async function changeTriggers(): Promise<void> {
  const { id: flow } = await createFlow(ada, { source: toSource("Triggered") });
  const schedule = { flow, name: "Daily", cron: "0 9 * * *", timeZone: "UTC", input: inputText } as const;
  const setting = { ...schedule, missed: "once", overlap: false, enabled: false } as const;
  const { id } = await createSchedule(ada, setting);
  await saveSchedule(ada, id, setting);
  await deleteSchedule(ada, id);
  expect(await actionsOf(id)).toEqual(["schedule.changed", "schedule.created", "schedule.deleted"]);
  const hookSetting = { flow, name: "Hook", inputPath: "", enabled: true };
  const hook = await createWebhook(ada, hookSetting);
  const { id: run } = await sendRequest(hook);
  expect(await db.auditEvent.findFirstOrThrow({ where: { objectId: String(run) } })).toMatchObject({
    action: "run.started",
    actorId: `webhook:${hook.webhook.id}`,
    actorName: "Webhook “Hook”",
  });
  await saveWebhook(ada, hook.webhook.id, hookSetting);
  await renewWebhookSecret(ada, hook.webhook.id);
  await deleteWebhook(ada, hook.webhook.id);
  expect(await actionsOf(hook.webhook.id)).toEqual(
    ["webhook.changed", "webhook.created", "webhook.deleted", "webhook.renewed"].sort(),
  );
}

async function changeSettings(): Promise<void> {
  await saveConnection(ada, "openai", { key: providerKey, baseUrl: "http://127.0.0.1:1/v1" });
  await testConnection(ada, "openai", { model: "x" }, AbortSignal.timeout(5000));
  await removeConnection(ada, "openai");
  expect(await actionsOf("openai")).toEqual(["connection.removed", "connection.saved", "connection.tested"]);
  await listConnections(ada);
  const traces = { endpoint: "http://127.0.0.1:1/v1/traces", headers: {}, content: false, enabled: false };
  await saveTraceExport(ada, traces);
  await sendTestSpan(ada, traces);
  await saveRetention(ada, { enabled: false, days: 30, keep: 10 });
  await saveApprovalRule(ada, { starterMayNotApprove: false });
  await saveToolRules(ada, { switchedOff: [], needApproval: [], httpHosts: null });
  await saveTeamLimits(ada, noTeamLimits);
  const { id } = await createKey(ada, { name: "CI", scopes: ["runs:read"] });
  await revokeKey(ada, id);
  await exportAudit(ada, {}, "csv");
}

async function insertUser(name: string, id: string = randomUUID()) {
  const [createdAt, updatedAt] = [new Date(), new Date()];
  const user = { id, name, email: `${id}@example.org` };
  await db.user.create({ data: { ...user, emailVerified: false, createdAt, updatedAt } });
  return user;
}

async function changeMembers(): Promise<void> {
  const [owner, guest] = [await insertUser("Ada", ada.id), await insertUser("Guest")];
  await joinFirstTeam(db, owner, null);
  const { token } = await createInvitation(ada, localTeamId, { role: "viewer" });
  await acceptInvitation(await loadViewer(db, guest), token);
  const withdrawn = await createInvitation(ada, localTeamId, { role: "viewer" });
  await withdrawInvitation(ada, localTeamId, withdrawn.id);
  await setMemberRole(ada, localTeamId, guest.id, "runner");
  const { id: flowId } = await createFlow(ada, { source: toSource("Members") });
  await setFlowRole(ada, flowId, guest.id, "editor");
  await createResetLink(ada, localTeamId, guest.id);
  await removeMember(ada, localTeamId, guest.id);
  await renameTeam(ada, localTeamId, "Weavers");
  await exportTeam(ada, localTeamId);
}

test("everything that is done is recorded, with neither secrets nor texts", async () => {
  await changeFlows();
  await changeRuns();
  await changeTriggers();
  await changeSettings();
  await changeMembers();
  const { id: createdTeam } = await createTeam(await loadViewer(db, { id: ada.id, name: "Ada" }), "Knots");
  const rows = await db.auditEvent.findMany();
  const recorded = new Set(rows.map(({ action }) => action));
  expect(auditActions.filter((action) => !recorded.has(action))).toEqual([]);
  const text = JSON.stringify(rows);
  for (const secret of [flowText, inputText, providerKey]) expect(text).not.toContain(secret);
  expect(rows.every(({ teamId }) => teamId === localTeamId || teamId === createdTeam)).toBe(true);
}, 60_000);

test("who saves a flow every few seconds is recorded once in ten minutes, another user again", async () => {
  let { id, revision } = await createFlow(ada, { source: toSource("Often") });
  const save = async (viewer: typeof ada, name: string) => {
    const saved = await saveFlow(viewer, id, { source: toSource(name), baseRevision: revision });
    revision = saved.revision;
  };
  for (const name of ["A", "B", "C"]) await save(ada, name);
  await save(editor, "D");
  const listed = () =>
    db.auditEvent.findMany({ where: { objectId: id, action: "flow.changed" }, orderBy: { at: "asc" } });
  expect((await listed()).map(({ actorId, objectName }) => [actorId, objectName])).toEqual([
    ["ada", "A"],
    ["ed", "D"],
  ]);
  await db.auditEvent.updateMany({ where: { objectId: id }, data: { at: new Date(Date.now() - repeatMs - 1) } });
  await save(ada, "E");
  expect(await listed()).toHaveLength(3);
});

test("what is refused is not recorded", async () => {
  const { id, revision } = await createFlow(ada, { source: toSource("Refused") });
  const stale = { source: toSource("Other"), baseRevision: "none" };
  expect(await codeOf(saveFlow(ada, id, stale))).toBe("conflict");
  expect(await codeOf(trashFlow(stranger, id))).toBe("not_found");
  expect(await codeOf(startRun(stranger, id, { input: "x" }))).toBe("not_found");
  expect(await codeOf(purgeFlow(ada, id))).toBe("conflict");
  expect(await codeOf(nameRevision(ada, id, `${revision}x`, "N"))).toBe("not_found");
  await restoreFlow(ada, id);
  expect(await actionsOf(id)).toEqual(["flow.created"]);
});

test("what the server deletes after its time in the trash is recorded as its own", async () => {
  const { id } = await createFlow(ada, { source: toSource("Forgotten") });
  await trashFlow(ada, id);
  await purgeTrash(db, Date.now() + (trashDays + 1) * 86_400_000);
  expect(await db.auditEvent.findFirst({ where: { objectId: id, action: "flow.purged" } })).toMatchObject({
    actorId: "server",
    objectName: "Forgotten",
  });
});

describe("the list", () => {
  const teamId = "listed";
  const admin = toTeamViewer({ id: "admin", name: "Admin" }, { teamId, role: "admin" });
  const bob = { id: "bob", name: "Bob Ümlaut" };
  const object = (id: string, name = id) => ({ type: "flow", id, name }) as const;
  beforeAll(async () => {
    for (let count = 0; count < 7; count++)
      await recordAudit(db, bob, { teamId, action: "flow.created", object: object(`f${count}`, `Flow 100% ${count}`) });
    await recordAudit(db, admin, { teamId, action: "flow.trashed", object: object("f3", '=cmd|"x",y') });
  });

  test("is newest first, page by page, none twice and none left out", async () => {
    const ids: string[] = [];
    let before: string | undefined;
    do {
      const { entries, next } = await listAudit(admin, { before, limit: 3 });
      ids.push(...entries.map(({ id }) => id));
      before = next ?? undefined;
    } while (before !== undefined);
    const rows = await db.auditEvent.findMany({ where: { teamId }, orderBy: [{ at: "desc" }, { id: "desc" }] });
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(await codeOf(listAudit(admin, { before: "no place" }))).toBe("bad_request");
  });

  test("is filtered by actor, action, object, time and words", async () => {
    const count = async (filter: Parameters<typeof listAudit>[1]) => (await listAudit(admin, filter)).entries.length;
    expect(await count({ actor: "bob" })).toBe(7);
    expect(await count({ action: "flow.trashed" })).toBe(1);
    expect(await count({ object: "f3" })).toBe(2);
    expect(await count({ object: "f3", actor: "admin" })).toBe(1);
    expect(await count({ q: "BOB ümlaut 100% 4" })).toBe(1);
    expect(await count({ q: "nothing" })).toBe(0);
    const [hourAgo, inAnHour] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
    expect(await count({ from: hourAgo, to: inAnHour })).toBe(8);
    expect(await count({ to: hourAgo })).toBe(0);
    expect(await count({ from: inAnHour })).toBe(0);
    expect(await listAuditActors(admin)).toEqual([
      { id: "admin", name: "Admin" },
      { id: "bob", name: "Bob Ümlaut" },
    ]);
  });

  test("is for who manages the team, and for that team only", async () => {
    const member = toTeamViewer({ id: "m", name: "M" }, { teamId, role: "editor" });
    expect(await codeOf(listAudit(member, {}))).toBe("forbidden");
    expect(await codeOf(listAuditActors(member))).toBe("forbidden");
    expect(await codeOf(exportAudit(member, {}, "csv"))).toBe("forbidden");
    expect((await listAudit(stranger, { object: "f3" })).entries).toEqual([]);
    expect((await listAudit(stranger, { actor: "bob" })).entries).toEqual([]);
  });

  test("is exported whole as CSV, without formulas, and as lines of JSON; that is recorded", async () => {
    const csv = await new Response(await exportAudit(admin, { object: "f3" }, "csv")).text();
    const lines = csv.trimEnd().split("\r\n");
    expect(lines[0]).toContain("at,actor,actor_id,action");
    expect(lines).toHaveLength(3);
    expect(csv).toContain(`"'=cmd|""x"",y"`);
    const jsonl = await new Response(await exportAudit(admin, { actor: "bob" }, "jsonl")).text();
    const entries = jsonl
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries).toHaveLength(7);
    expect(entries[0]).toMatchObject({ actor: bob, action: "flow.created", object: { type: "flow" } });
    expect((await listAudit(admin, { action: "audit.exported" })).entries).toHaveLength(2);
  });
});

test("the log is appended to only: no file of the server changes or deletes an entry", () => {
  const folder = path.join(import.meta.dirname, "..");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
  );
  const changing = files.filter((file) =>
    /auditEvent\s*\.\s*(update|upsert|delete)|(UPDATE|DELETE FROM|INTO) "AuditEvent"/i.test(
      readFileSync(path.join(folder, file), "utf8"),
    ),
  );
  expect(files.length).toBeGreaterThan(150);
  // With the team that it belongs to.
  expect(changing).toEqual(["teams/commands.ts"]);
});

describe("where who started a run may not approve in it", () => {
  const approve = { decision: "approved" } as const;
  const rule = (starterMayNotApprove: boolean) => saveApprovalRule(ada, { starterMayNotApprove });

  test("the starter is refused, with the reason, and someone else approves", async () => {
    await rule(true);
    const { id, node, question } = await startWaiting();
    await expect(answerQuestion(ada, id, node, { question, ...approve })).rejects.toThrow("You started this run");
    expect(await codeOf(answerQuestion(ada, id, node, { question, ...approve }))).toBe("forbidden");
    expect(await codeOf(answerQuestion(ada, id, node, { question, decision: "rejected" }))).toBe("forbidden");
    expect(await codeOf(answerQuestion(editor, id, node, { question, ...approve }))).toBe("nothing was refused");
    expect((await until(id, isTerminal)).status).toBe("SUCCESS");
  });

  test("neither starts with a key to approve by hand, nor the other way round", async () => {
    await rule(true);
    const { id: keyId } = await createKey(ada, { name: "CI", scopes: ["runs:write", "runs:read"] });
    const key = toTeamViewer({ id: `key:${keyId}`, name: "Key" }, { teamId: localTeamId, role: "admin" });
    const byKey = await startWaiting(key);
    expect(await codeOf(answerQuestion(ada, byKey.id, byKey.node, { question: byKey.question, ...approve }))).toBe(
      "forbidden",
    );
    const byHand = await startWaiting();
    expect(await codeOf(answerQuestion(key, byHand.id, byHand.node, { question: byHand.question, ...approve }))).toBe(
      "forbidden",
    );
    await cancelRun(ada, byKey.id);
    await cancelRun(ada, byHand.id);
  });

  test("without the rule, and in other teams, the starter approves", async () => {
    await rule(false);
    await saveApprovalRule(stranger, { starterMayNotApprove: true });
    const { id, node, question } = await startWaiting();
    expect(await codeOf(answerQuestion(ada, id, node, { question, ...approve }))).toBe("nothing was refused");
    expect(await codeOf(saveApprovalRule(editor, { starterMayNotApprove: true }))).toBe("forbidden");
  });
});
