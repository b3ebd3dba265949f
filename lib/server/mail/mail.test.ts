import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AppError } from "../app-error";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import { changeComment, createComment } from "../comments/commands";
import { getDb } from "../db";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { createInvitation } from "../teams/invitations";
import { sendMail } from "./send-mail";
import { decodeMail } from "./testing/decode-mail";
import { type MailServer, startMailServer } from "./testing/mail-server";

const ann = toTeamViewer({ id: "ann", name: "Ann" }, { teamId: localTeamId, role: "editor" });

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
  process.env.SWARMLOOM_SMTP_URL = server.url;
  const db = await startServices();
  for (const id of ["ann", "ben", "eve"]) {
    const times = { createdAt: new Date(), updatedAt: new Date() };
    await db.user.create({
      data: { id, name: id, email: `${id}@example.org`, emailVerified: true, ...times },
    });
  }
  for (const userId of ["ann", "ben"])
    await db.membership.create({ data: { teamId: localTeamId, userId, role: "editor", createdAt: new Date() } });
});
afterAll(() => server.close());
beforeEach(() => {
  server.mails.length = 0;
});

const subjectOf = (text: string): string | undefined => /^Subject: (.*(?:\r\n .*)*)/m.exec(text)?.[1];
const received = () => server.mails.map(({ to, text }) => `${to.join()}: ${subjectOf(text)}`);

test("an invitation is mailed, and a mail that is refused is told as not sent", async () => {
  const { isMailed, url } = await createInvitation(localViewer, localTeamId, {
    role: "viewer",
    email: "New@example.org",
  });
  expect(isMailed).toBe(true);
  expect(server.mails[0]?.to).toEqual(["new@example.org"]);
  expect(server.mails[0]?.text.replaceAll("=\r\n", "")).toContain(url);
  const refused = { role: "viewer", email: "x@refused.example" } as const;
  expect((await createInvitation(localViewer, localTeamId, refused)).isMailed).toBe(false);
});

test("names in an invitation are quoted, short and no links, and its subject is fixed", async () => {
  const db = await getDb();
  const name = `Your account is locked. Unlock it at https://evil.example/now\u202e or evil.example\n\n${"x".repeat(5000)}`;
  await db.team.update({ where: { id: localTeamId }, data: { name: `Bank” ${name}` } });
  await createInvitation({ ...localViewer, name }, localTeamId, { role: "viewer", email: "quoted@example.org" });
  const mail = server.mails[0]?.text ?? "";
  const text = decodeMail(mail);
  expect(subjectOf(mail)).toBe("Join a team on Swarmloom");
  expect(text).toContain("“Your account is locked. Unlock it at https evil. example/no…” invites you");
  expect(text).not.toMatch(/evil\.example|:\/\/evil|\u202e|x{60}/);
});

test("invitations are mailed to an address three times a day, and by a team thirty times an hour", async () => {
  const db = await getDb();
  const invite = (email: string) =>
    createInvitation(localViewer, localTeamId, { role: "viewer", email }).then(
      ({ isMailed }) => isMailed,
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => invite("often@example.org")));
  expect(outcomes.filter((outcome) => outcome === true)).toHaveLength(3);
  expect(outcomes.filter((outcome) => outcome === "rate_limited")).toHaveLength(3);
  await db.attemptCount.deleteMany();
  server.mails.length = 0;
  const others = [];
  for (let index = 0; index < 40; index++) others.push(await invite(`other${index}@example.org`));
  expect(others).toEqual([...Array(30).fill(true), ...Array(10).fill("rate_limited")]);
  expect(server.mails).toHaveLength(30);
  // Without an address nothing is mailed.
  expect((await createInvitation(localViewer, localTeamId, { role: "viewer" })).isMailed).toBe(false);
});

test("a mention, a request for a review and its decision are mailed to whom they concern, once", async () => {
  const { id: flow, revision } = await createFlow(ann, {
    source: 'name: Mailed\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n',
  });
  const target = { type: "revision", id: revision } as const;
  const body = "@[ben](ben) and @[ann](ann) and @[eve](eve): look";
  const { id } = await createComment(ann, flow, { body, target, reviewers: ["ben"] });
  await expect.poll(received).toHaveLength(1);
  expect(server.mails[0]?.to).toEqual(["ben@example.org"]);
  expect(server.mails[0]?.text).toContain("/inbox");
  await changeComment(ann, id, { body: `${body} again` });
  const ben = toTeamViewer({ id: "ben", name: "Ben" }, { teamId: localTeamId, role: "editor" });
  await changeComment(ben, id, { decision: "approved" });
  await expect.poll(received).toHaveLength(2);
  expect(server.mails[1]?.to).toEqual(["ann@example.org"]);
});

test("line breaks in a subject make no headers", async () => {
  expect(await sendMail({ to: "a@example.org", subject: "One\r\nBcc: b@example.org", text: "x" })).toBe(true);
  expect(server.mails[0]?.to).toEqual(["a@example.org"]);
  expect(server.mails[0]?.text).not.toMatch(/^Bcc:/m);
});
