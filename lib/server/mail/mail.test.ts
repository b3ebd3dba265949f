import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import { changeComment, createComment } from "../comments/commands";
import { createFlow } from "../flows/commands";
import { startServices } from "../start";
import { createInvitation } from "../teams/invitations";
import { sendMail } from "./send-mail";
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
