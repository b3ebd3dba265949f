import type { Browser, Page } from "@playwright/test";
import { ApiUser } from "../fixtures/api-user";
import { expectAccessible } from "../fixtures/expect-accessible";
import { signIn, startTeamServer, type TeamServer, toPerson } from "../fixtures/team-server";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

const source = 'name: Guarded\n# note\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';

/** A browser in which a user is signed in. */
async function openBrowserOf(browser: Browser, server: TeamServer, { cookie }: ApiUser): Promise<Page> {
  const context = await browser.newContext({ baseURL: server.url });
  const cookies = cookie.split("; ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return { name, value: value.join("="), url: server.url };
  });
  await context.addCookies(cookies);
  await context.addInitScript(() => localStorage.setItem("swarmloom.text-pane", "open"));
  return context.newPage();
}

/** An owner with a flow, and an Editor who has it open and has typed in it. */
async function openAsEditor(browser: Browser, server: TeamServer) {
  const owner = await new ApiUser(server, "owner").signUp(server.token);
  const { token } = await owner.read("POST", "/api/v1/teams/local/invitations", { role: "editor" });
  const eve = await new ApiUser(server, "eve").signUp(token);
  await eve.read("POST", `/api/v1/invitations/${token}/accept`);
  const { id } = await owner.read("POST", "/api/v1/flows", { source });
  const { user } = await eve.read("GET", "/api/v1/me");
  const page = await openBrowserOf(browser, server, eve);
  const editor = new EditorPage(page);
  await editor.openLoaded(id);
  await page.locator(".cm-line", { hasText: "# note" }).click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" of Eve");
  await editor.saved();
  return { owner, eve, page, editor, flow: id, member: `/api/v1/teams/local/members/${user.id}` };
}

let server: TeamServer;
test.beforeEach(async () => {
  server = await startTeamServer();
});
test.afterEach(() => server.stop());

const losses = [
  {
    title: "a member who is removed from the team",
    lose: ({ owner, member }: Awaited<ReturnType<typeof openAsEditor>>) => owner.read("DELETE", member),
    heading: "You no longer have access to this flow",
  },
  {
    title: "an Editor who becomes a Viewer",
    lose: ({ owner, member }: Awaited<ReturnType<typeof openAsEditor>>) =>
      owner.read("PATCH", member, { role: "viewer" }),
    heading: "You can no longer change this flow",
  },
  {
    title: "the Editor of a flow that is deleted",
    lose: ({ owner, flow }: Awaited<ReturnType<typeof openAsEditor>>) => owner.read("DELETE", `/api/v1/flows/${flow}`),
    heading: "This flow was deleted",
  },
];

for (const { title, lose, heading } of losses)
  test(`${title} learns it at once, and can copy the text`, async ({ browser }) => {
    test.setTimeout(120_000);
    const opened = await openAsEditor(browser, server);
    const { page, editor } = opened;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await lose(opened);
    await page.locator(".cm-line", { hasText: "# note" }).click();
    await page.keyboard.press("End");
    await page.keyboard.insertText(" and more");
    const dialog = page.getByRole("dialog", { name: heading });
    await expect(dialog).toBeVisible({ timeout: 15_000 });
    await expectAccessible(page, "[role=dialog]");
    await dialog.getByRole("button", { name: "Copy the text" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("# note of Eve");
    await page.keyboard.press("Escape");
    await expect(editor.saveState).toHaveText("No access");
    await page.getByRole("button", { name: "Details" }).click();
    await expect(dialog).toBeVisible();
    await page.context().close();
  });

test("a user whose session has ended signs in again, and the text is saved", async ({ browser }) => {
  test.setTimeout(120_000);
  const { owner, eve, page, editor, flow } = await openAsEditor(browser, server);
  await eve.send("POST", "/api/auth/sign-out", {}, { origin: server.url });
  await page.locator(".cm-line", { hasText: "# note" }).click();
  await page.keyboard.press("End");
  await page.keyboard.insertText(" and more");
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  await expect(dialog).toBeVisible({ timeout: 15_000 });
  const opening = page.context().waitForEvent("page");
  await dialog.getByRole("link", { name: "Sign in" }).click();
  const signInPage = await opening;
  await signIn(signInPage, { ...toPerson("eve"), password: "long enough eve" });
  await signInPage.waitForURL(({ pathname }) => pathname === "/");
  await dialog.getByRole("button", { name: "Continue here" }).click();
  await expect(dialog).toHaveCount(0);
  await editor.saved();
  expect((await owner.read("GET", `/api/v1/flows/${flow}`)).source).toContain("# note of Eve and more");
  await page.context().close();
});

test("the editor tells when the browser goes offline, and when it is back", async ({ browser }) => {
  const { page, editor } = await openAsEditor(browser, server);
  await page.context().setOffline(true);
  await expect(editor.saveState).toHaveText("Offline");
  await page.context().setOffline(false);
  await expect(editor.saveState).toHaveText("Back online");
  await expect(editor.saveState).toHaveText("Saved");
  await page.context().close();
});
