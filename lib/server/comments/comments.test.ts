import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET } from "@/app/api/v1/inbox/route";
import type { Role } from "../auth/permissions";
import { localViewer, toTeamViewer, type Viewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import { purgeFlow, trashFlow } from "../flows/trash";
import { startRun } from "../runs/commands";
import { startServices } from "../start";
import { changeComment, createComment, deleteComment } from "./commands";
import { commentChangeSchema, newCommentSchema } from "./comment-schema";
import { listInbox, markRead } from "./inbox";
import { listThreads } from "./queries";

const source = `name: Discussed\nagents:\n  a: { model: "demo:x" }\nswarm: { flow: a }\n`;
const team = "team-1";
const member = (id: string, role: Role = "editor", teamId = team): Viewer =>
  toTeamViewer({ id, name: id.toUpperCase() }, { teamId, role });
const [anna, ben, carl] = [member("anna"), member("ben", "viewer"), member("carl", "admin")];
const stranger = member("eve", "owner", "elsewhere");

let db: Db;
let flow: string;
let revision: string;

async function addMember(id: string, role: Role): Promise<void> {
  const times = { createdAt: new Date(), updatedAt: new Date() };
  const user = { id, name: id.toUpperCase(), email: `${id}@example.org`, emailVerified: true };
  await db.user.upsert({ where: { id }, create: { ...user, ...times }, update: {} });
  const membership = { teamId: team, userId: id, role, createdAt: new Date() };
  await db.membership.upsert({
    where: { teamId_userId: { teamId: team, userId: id } },
    create: membership,
    update: {},
  });
}

beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  await db.team.create({ data: { id: team, name: "Team", createdAt: new Date() } });
  await addMember("anna", "editor");
  await addMember("ben", "viewer");
  await addMember("carl", "admin");
});
beforeEach(async () => {
  await db.notification.deleteMany();
  ({ id: flow, revision } = await createFlow(anna, { source }));
});

const write = (viewer: Viewer, body: string, more: object = {}) =>
  createComment(viewer, flow, newCommentSchema.parse({ body, ...more }));
const threads = async (viewer: Viewer = anna, filter = {}) => (await listThreads(viewer, flow, filter)).threads;
const inboxOf = async (viewer: Viewer) => (await listInbox(viewer)).items.map(({ type, by }) => `${type} ${by}`);
const refused = (promises: readonly Promise<unknown>[], code: string) =>
  Promise.all(promises.map((promise) => expect(promise).rejects.toMatchObject({ code })));

describe("comments", () => {
  test("are threads about the flow, a node, a version or a step, newest first, with their replies", async () => {
    const { id } = await write(ben, "Too **long**", { target: { type: "node", name: "a" } });
    await write(anna, "I know", { parent: id });
    await write(anna, "Looks good", { target: { type: "revision", id: revision } });
    expect(await listThreads(anna, flow)).toMatchObject({
      threads: [
        { first: { body: "Looks good", isMine: true }, label: "v1", target: { type: "revision", id: revision } },
        {
          first: { id, body: "Too **long**", author: { id: "ben", name: "BEN" }, isMine: false, mayDelete: false },
          replies: [{ body: "I know", isMine: true }],
          target: { type: "node", name: "a" },
        },
      ],
      next: null,
      open: 2,
      resolved: 0,
      flowOpen: { count: 2, nodes: [{ name: "a", count: 1 }] },
      members: [
        { id: "anna", name: "ANNA" },
        { id: "ben", name: "BEN" },
        { id: "carl", name: "CARL" },
      ],
    });
    expect(await threads(anna, { target: "node", of: "a" })).toHaveLength(1);
    expect(await listThreads(anna, flow, { target: "node", of: "b" })).toMatchObject({
      threads: [],
      open: 0,
      flowOpen: { count: 2, nodes: [{ name: "a", count: 1 }] },
    });
    await changeComment(anna, id, { resolved: true });
    expect((await listThreads(anna, flow)).flowOpen).toEqual({ count: 1, nodes: [] });
  });

  test("on a step belong to a run of the flow, and stay when it is deleted", async () => {
    const { id: run } = await startRun(anna, flow, { input: "x" });
    const node = { runId: run, nodeId: 1, path: "a", kind: "agent", name: "a", status: "SUCCESS" };
    await db.runNode.create({ data: { ...node, startedAt: new Date(), body: "{}" } });
    const { id: otherFlow } = await createFlow(anna, { source });
    const target = { type: "step", run, step: 1 } as const;
    await write(ben, "Why?", { target });
    await refused(
      [
        write(ben, "No", { target: { ...target, step: 2 } }),
        write(ben, "No", { target: { ...target, run: "unknown" } }),
        write(ben, "No", { target: { type: "revision", id: "unknown" } }),
        createComment(ben, otherFlow, { body: "No", target }),
        createComment(ben, otherFlow, { body: "No", target: { type: "revision", id: revision } }),
      ],
      "not_found",
    );
    expect(await threads(ben, { target: "step", run, of: "1" })).toMatchObject([{ label: "a", target }]);
    expect(await threads({ ...ben, scopes: new Set(["flows:read"]) })).toEqual([]);
    await db.run.delete({ where: { id: run } });
    expect(await threads(ben)).toMatchObject([{ label: null, target }]);
  });

  test("come in pages without gaps", async () => {
    const row = {
      teamId: team,
      flowId: flow,
      target: "flow",
      targetId: "",
      body: "x",
      createdById: "anna",
      createdBy: "A",
    };
    const createdAt = new Date();
    await db.comment.createMany({
      data: Array.from({ length: 120 }, (_, i) => ({ ...row, id: `${flow}-${i}`, createdAt })),
    });
    const seen = new Set<string>();
    for (let before: string | undefined; ; ) {
      const page = await listThreads(anna, flow, { before });
      for (const { first } of page.threads) seen.add(first.id);
      if (page.next === null) break;
      before = page.next;
    }
    expect(seen.size).toBe(120);
    await refused([listThreads(anna, flow, { before: "unknown" })], "bad_request");
  });

  test("are resolved and opened again by anyone who may write, as threads", async () => {
    const { id } = await write(anna, "Open");
    const { id: reply } = await write(ben, "Reply", { parent: id });
    await changeComment(ben, id, { resolved: true });
    expect(await threads(anna, { state: "open" })).toEqual([]);
    expect(await threads(anna, { state: "resolved" })).toMatchObject([{ resolved: { by: "BEN" } }]);
    await changeComment(anna, id, { resolved: false });
    expect(await threads(anna, { state: "open" })).toMatchObject([{ resolved: null }]);
    await refused([changeComment(anna, reply, { resolved: true })], "bad_request");
  });

  test("are edited by their author alone, and deleted by the author or an admin", async () => {
    const { id } = await write(ben, "Mine");
    await refused(
      [changeComment(anna, id, { body: "Yours" }), changeComment(carl, id, { body: "Yours" })],
      "forbidden",
    );
    await refused([deleteComment(anna, id)], "forbidden");
    await changeComment(ben, id, { body: "Still mine" });
    expect(await threads()).toMatchObject([{ first: { body: "Still mine", editedAt: expect.any(Number) } }]);
    await deleteComment(carl, id);
    expect(await threads()).toEqual([]);
  });

  test("a deleted first comment stays empty as long as it has replies", async () => {
    const { id } = await write(ben, "A secret", { target: { type: "node", name: "a" } });
    const { id: reply } = await write(anna, "An answer", { parent: id });
    await deleteComment(ben, id);
    expect(await threads()).toMatchObject([{ first: { body: "", isDeleted: true }, replies: [{ id: reply }] }]);
    await refused([changeComment(ben, id, { body: "Back" }), deleteComment(ben, id)], "not_found");
    await changeComment(anna, id, { resolved: true });
    await deleteComment(anna, reply);
    expect(await db.comment.count({ where: { flowId: flow } })).toBe(0);
  });

  test("keep their text as it is written, whatever it holds, and refuse empty and huge ones", async () => {
    const bodies = [
      "<script>alert(1)</script>",
      "[x](javascript:alert(1))",
      "\u0000 and \ud83d\ude00",
      "x".repeat(10_000),
      "@[ANNA](unknown id)",
    ];
    for (const body of bodies) await write(anna, body);
    const stored = (await threads()).map(({ first }) => first.body.length).toReversed();
    expect(stored.slice(0, 2)).toEqual(bodies.slice(0, 2).map(({ length }) => length));
    for (const body of ["", " \n ", "x".repeat(10_001)])
      expect(newCommentSchema.safeParse({ body }).success).toBe(false);
    expect(commentChangeSchema.safeParse({}).success).toBe(false);
    expect(commentChangeSchema.safeParse({ body: "x", resolved: true }).success).toBe(false);
  });

  test("of other teams, unknown ones and those on flows in the trash are not there", async () => {
    const { id } = await write(anna, "Hello");
    const none = member("ben", "viewer", "nowhere");
    const reader = { ...anna, scopes: new Set(["flows:read"] as const) };
    const attempts = (comment: string) => [
      listThreads(stranger, flow),
      createComment(stranger, flow, { body: "Hi" }),
      createComment(stranger, flow, { body: "Hi", parent: comment }),
      changeComment(stranger, comment, { body: "Hi" }),
      changeComment(none, comment, { resolved: true }),
      deleteComment(stranger, comment),
      createComment(reader, flow, { body: "Hi" }),
      changeComment(reader, comment, { body: "Hi" }),
    ];
    await refused([...attempts(id), ...attempts("unknown")], "not_found");
    const { id: other } = await createFlow(anna, { source });
    await refused([createComment(anna, other, { body: "Hi", parent: id })], "not_found");
    await trashFlow(anna, flow);
    await refused([listThreads(anna, flow), write(anna, "Hi"), changeComment(anna, id, { body: "x" })], "not_found");
    await purgeFlow(anna, flow);
    expect(await db.comment.count({ where: { id } })).toBe(0);
  });
});

describe("the inbox", () => {
  test("lists the rest when a notice cannot be read", async () => {
    await write(anna, "@[BEN](ben)");
    await write(anna, "@[BEN](ben) once more");
    const [newest] = (await listInbox(ben)).items;
    await db.notification.update({ where: { id: newest?.id ?? "" }, data: { type: "unknown" } });
    const { items, unread } = await listInbox(ben);
    expect([items.length, unread]).toEqual([1, 2]);
  });

  test("has what a member is mentioned in, once, and nothing for others", async () => {
    const body = "@[Someone Else](ben) and @[BEN](ben), see @[Eve](eve) and @[Nobody](nobody)";
    const { id } = await write(anna, body);
    expect((await threads())[0]?.first.body).toBe("@[BEN](ben) and @[BEN](ben), see @Eve and @Nobody");
    expect(await listInbox(ben)).toMatchObject({
      items: [
        {
          ...{ type: "mention", by: "ANNA", isRead: false, thread: id, target: { type: "flow" } },
          excerpt: "@BEN and @BEN, see @Eve and @Nobody",
          flow: { id: flow, name: "Discussed" },
        },
      ],
      next: null,
      unread: 1,
    });
    await changeComment(anna, id, { body: `${body} @[CARL](carl)` });
    for (const viewer of [ben, carl]) expect(await inboxOf(viewer)).toEqual(["mention ANNA"]);
    for (const viewer of [anna, member("eve")]) expect(await inboxOf(viewer)).toEqual([]);
    expect(await db.notification.count()).toBe(2);
  });

  test("has replies to what the viewer wrote", async () => {
    const { id } = await write(anna, "A question");
    await write(ben, "An answer", { parent: id });
    await write(carl, "Another, @[BEN](ben)", { parent: id });
    await write(anna, "Thanks", { parent: id });
    expect(await inboxOf(anna)).toEqual(["reply CARL", "reply BEN"]);
    expect(await inboxOf(ben)).toEqual(["reply ANNA", "mention CARL"]);
  });

  test("is read item by item, or all at once, by its owner alone", async () => {
    await write(anna, "@[BEN](ben) 1");
    await write(anna, "@[BEN](ben) 2");
    const [first] = (await listInbox(ben)).items;
    const ids = [first?.id ?? ""];
    await markRead(anna, ids);
    await markRead(stranger);
    expect((await listInbox(ben)).unread).toBe(2);
    await markRead(ben, [...ids, "unknown"]);
    expect(await listInbox(ben)).toMatchObject({ unread: 1, items: [{ isRead: true }, { isRead: false }] });
    expect((await listInbox(ben, { unread: "1" })).items).toHaveLength(1);
    await markRead(ben);
    expect((await listInbox(ben)).unread).toBe(0);
    await refused([listInbox(anna, { before: first?.id })], "bad_request");
  });

  test.each(["", "unknown", "%00", "%F0%9F%98%80", "x".repeat(201)])(
    "answers a place that it does not have with 400, not with an error of the server: before=%s",
    async (before) => {
      const url = `http://127.0.0.1:3000/api/v1/inbox?before=${before}`;
      const request = new Request(url, { headers: { host: "127.0.0.1:3000" } });
      expect((await GET(request, { params: Promise.resolve({}) })).status).toBe(400);
    },
  );

  test("has nothing of flows that the viewer cannot read any more", async () => {
    const { id } = await write(anna, "@[BEN](ben)");
    expect(await inboxOf(member("ben", "viewer", "elsewhere"))).toEqual([]);
    await trashFlow(anna, flow);
    expect(await listInbox(ben)).toMatchObject({ items: [], unread: 0 });
    expect(await db.comment.count({ where: { id } })).toBe(1);
  });

  test("in a team without accounts the viewer can be mentioned, as a reminder", async () => {
    const { id } = await createFlow(localViewer, { source });
    await createComment(localViewer, id, { body: "@[You](local) check this" });
    expect((await listThreads(localViewer, id)).members).toEqual([{ id: "local", name: "You" }]);
    expect(await inboxOf(localViewer)).toEqual(["mention You"]);
  });
});

describe("a review", () => {
  const target = () => ({ type: "revision" as const, id: revision });

  test("is requested of members, who decide; the requester is told", async () => {
    const { id } = await write(anna, "Please look", { target: target(), reviewers: ["ben", "ben"] });
    expect(await inboxOf(ben)).toEqual(["review ANNA"]);
    expect(await threads(ben)).toMatchObject([
      { review: { state: "requested", by: null, reviewers: [{ id: "ben" }], isMine: true } },
    ]);
    await refused([changeComment(carl, id, { decision: "approved" })], "forbidden");
    await changeComment(ben, id, { decision: "changes-requested" });
    await changeComment(ben, id, { decision: "approved" });
    expect(await threads()).toMatchObject([{ review: { state: "approved", by: "BEN", isMine: false } }]);
    expect(await listInbox(anna)).toMatchObject({ items: [{ type: "decision", by: "BEN", decision: "approved" }] });
  });

  test("keeps the decision of each reviewer, and the requester is told of every one", async () => {
    const { id } = await write(anna, "Please look", { target: target(), reviewers: ["ben", "carl"] });
    await changeComment(ben, id, { decision: "changes-requested" });
    await markRead(anna);
    await changeComment(carl, id, { decision: "approved" });
    expect(await threads(ben)).toMatchObject([
      {
        review: {
          state: "changes-requested",
          by: "BEN",
          mine: "changes-requested",
          decisions: [
            { by: { id: "ben", name: "BEN" }, decision: "changes-requested" },
            { by: { id: "carl", name: "CARL" }, decision: "approved" },
          ],
        },
      },
    ]);
    expect(await listInbox(anna)).toMatchObject({
      unread: 1,
      items: [{ type: "decision", by: "CARL", decision: "approved", isRead: false }],
    });
    await markRead(anna);
    await changeComment(ben, id, { decision: "approved" });
    expect(await threads()).toMatchObject([{ review: { state: "approved", by: "CARL, BEN", mine: null } }]);
    expect(await listInbox(anna)).toMatchObject({ unread: 1, items: [{ by: "BEN", decision: "approved" }] });
  });

  test("that is decided the same way again, also at the same time, is decided once", async () => {
    const { id } = await write(anna, "Please look", { target: target(), reviewers: ["ben", "carl"] });
    const approve = (viewer: Viewer) => changeComment(viewer, id, { decision: "approved" });
    await Promise.all([approve(ben), approve(carl), approve(ben)]);
    await markRead(anna);
    await approve(ben);
    expect(await listInbox(anna)).toMatchObject({ unread: 0, items: [{ type: "decision" }] });
    const entries = await db.auditEvent.findMany({ where: { objectId: flow, action: "review.decided" } });
    expect(entries.map(({ actorId }) => actorId).toSorted()).toEqual(["ben", "carl"]);
  });

  test("is of a version, by members of the team", async () => {
    const { id } = await write(anna, "No review", { target: target() });
    await refused(
      [
        write(anna, "x", { reviewers: ["ben"] }),
        write(anna, "x", { target: target(), reviewers: ["eve"] }),
        write(anna, "x", { parent: id, reviewers: ["ben"] }),
        write(anna, "x", { parent: id, target: target() }),
        changeComment(ben, id, { decision: "approved" }),
      ],
      "bad_request",
    );
  });
});
