import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { holdScript } from "../fixtures/hold-script";
import {
  invite,
  openBrowser,
  signIn,
  signUp,
  startTeamServer,
  type TeamServer,
  toPerson,
  toTotp,
} from "../fixtures/team-server";

test.describe.configure({ mode: "serial", timeout: 120_000 });

const [ada, bob] = [toPerson("Ada"), toPerson("Bob")];

let server: TeamServer;
/** Of the Owner. */
let owner: Page;

test.beforeAll(async ({ browser }) => {
  server = await startTeamServer();
  owner = await openBrowser(browser, server);
});

test.afterAll(async () => {
  await owner.context().close();
  await server.stop();
});

const openAccountMenu = (page: Page) => page.getByRole("button", { name: /^Account of/ }).click();

async function signOut(page: Page): Promise<void> {
  await page.goto("/");
  await openAccountMenu(page);
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(({ pathname }) => pathname === "/sign-in");
}

/** The id of the flow that was made with the database. */
async function findFlow(page: Page): Promise<string> {
  const { flows } = await (await page.request.get("/api/v1/flows?team=local")).json();
  return flows[0].id;
}

test("the first account needs the token of the server, and owns what is there", async () => {
  await owner.goto("/runs?q=x");
  await expect(owner).toHaveURL(/\/sign-up$/);
  await expect(owner.getByRole("heading")).toHaveText("No one has an account here yet");
  await expect(owner.getByText("the address that the server printed when it started")).toBeVisible();
  await expect(owner.getByRole("navigation")).toHaveCount(0);
  await expectAccessible(owner);
  await owner.goto(`/sign-up#token=${server.token}`);
  await expect(owner.getByRole("heading")).toHaveText("Create the first account");
  await expectAccessible(owner);
  await signUp(owner, `/sign-up#token=${server.token}`, ada);
  await expect(owner.getByRole("link", { name: "Article" })).toBeVisible();
  await openAccountMenu(owner);
  const menu = owner.getByRole("menu");
  await expect(menu).toContainText("ada@example.org");
  await expect(menu.getByRole("menuitemradio", { name: "My team" })).toBeChecked();
  await expectAccessible(owner);
  await owner.keyboard.press("Escape");
  await expect(owner.locator("html")).toHaveAttribute("data-team", "local");
});

test("a viewer who was invited reads, and can neither change nor run", async ({ browser }) => {
  const link = await invite(owner, "viewer");
  const page = await openBrowser(browser, server);
  await page.goto(link);
  await expect(page.getByRole("heading")).toHaveText("Join My team");
  await expectAccessible(page);
  await signUp(page, link, bob);
  await expect(page.getByRole("button", { name: "New flow" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Run/ })).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole("heading")).toHaveText("This invitation cannot be used");
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(`${request.method()} ${request.url()}`);
  });
  await page.goto(`/flows/${await findFlow(page)}`);
  await expect(page.getByRole("status", { name: "Save state" })).toHaveText("View only");
  await expect(page.getByRole("button", { name: "Run", exact: true })).toHaveCount(0);
  await expect(page.getByRole("toolbar", { name: "Insert" })).toHaveCount(0);
  await expect(page.getByLabel("Flow name")).toHaveAttribute("readonly", "");
  const card = page.locator(".react-flow__node").filter({ hasText: "writer" }).first();
  const before = await card.boundingBox();
  await card.hover();
  await page.mouse.down();
  await page.mouse.move(400, 600, { steps: 5 });
  await page.mouse.up();
  expect(await card.boundingBox()).toEqual(before);
  await card.click();
  await expect(page.getByRole("tabpanel").getByRole("textbox").first()).toBeDisabled();
  await page.locator("#flow-canvas").press("Delete");
  await page.locator("#flow-canvas").press("a");
  await page.keyboard.press("Control+Enter");
  await expect(page.locator(".react-flow__node").filter({ hasText: "writer" }).first()).toBeVisible();
  await page.reload();
  await expect(page.getByRole("status", { name: "Save state" })).toHaveText("View only");
  expect(writes).toEqual([]);
  await page.goto("/settings");
  await expect(page.getByRole("list", { name: "Members" })).toContainText("ada@example.org");
  await expect(page.getByRole("button", { name: "Invite…" })).toHaveCount(0);
  await expect(page.getByLabel("Role of Ada")).toHaveCount(0);
  await page.context().close();
});

test("another role holds at once, in the team and in one flow", async ({ browser }) => {
  const page = await openBrowser(browser, server);
  await page.goto("/sign-in");
  await signIn(page, bob);
  await page.waitForURL(`${server.url}/`);
  const flow = await findFlow(page);
  await owner.goto("/");
  await owner.getByRole("link", { name: "Article" }).hover();
  await owner.getByRole("button", { name: "More for Article" }).click();
  await owner.getByRole("menuitem", { name: "Who may do what…" }).click();
  const dialog = owner.getByRole("dialog");
  const saved = owner.waitForResponse((response) => response.request().method() === "PUT");
  await dialog.getByLabel("Role of Bob in this flow").selectOption("runner");
  expect((await saved).status()).toBe(204);
  await expectAccessible(owner);
  await page.goto(`/flows/${flow}`);
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeVisible();
  await expect(page.getByRole("status", { name: "Save state" })).toHaveText("View only");
  await owner.goto("/settings");
  await expectAccessible(owner);
  const changed = owner.waitForResponse((response) => response.request().method() === "PATCH");
  await owner.getByLabel("Role of Bob").selectOption("editor");
  expect((await changed).status()).toBe(204);
  await page.goto("/");
  await expect(page.getByRole("button", { name: "New flow" })).toBeVisible();
  await page.context().close();
});

test("signing in leads on to a page of this server only", async ({ browser }) => {
  for (const next of ["//evil.example", "/\\evil.example", "https://evil.example/", "/%09/evil.example"]) {
    const page = await openBrowser(browser, server);
    await page.goto(`/sign-in?next=${next}`);
    await signIn(page, bob);
    await page.waitForURL(`${server.url}/`);
    // And who is signed in is sent on at once.
    await page.goto(`/sign-in?next=${next}`);
    expect(page.url()).toBe(`${server.url}/`);
    await page.goto("/sign-in?next=/runs?q=x");
    expect(page.url()).toBe(`${server.url}/runs?q=x`);
    await page.context().close();
  }
});

test("a password that is sent before the page's code has come signs in afterwards, and is in no address", async ({
  browser,
}) => {
  const page = await openBrowser(browser, server);
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  const letThrough = await holdScript(page, "Forgot your password?");
  await page.goto("/sign-in", { waitUntil: "commit" });
  await signIn(page, bob);
  await expect(page.getByLabel("Password", { exact: true })).toHaveValue(bob.password);
  letThrough();
  await page.waitForURL(({ pathname }) => pathname === "/");
  expect(addresses.filter((address) => address.includes("password="))).toEqual([]);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
});

test("a wrong password is refused in words; signing out ends the session and forgets what the browser kept", async ({
  browser,
}) => {
  const page = await openBrowser(browser, server);
  await page.goto("/sign-in");
  await signIn(page, { ...bob, password: "wrong password" });
  await expect(page.getByRole("alert").first()).toHaveText("The e-mail address or the password is wrong.");
  await signIn(page, bob);
  await page.waitForURL(`${server.url}/`);
  await page.evaluate(async () => {
    const { user } = document.documentElement.dataset;
    localStorage.setItem(`swarmloom.run-input-${user}.f`, "secret");
    localStorage.setItem("swarmloom.run-input-other.f", "another person's");
  });
  await signOut(page);
  const kept = await page.evaluate(() => Object.entries(localStorage));
  expect(kept.filter(([key]) => !key.startsWith("swarmloom.signed-out")).map(([, text]) => text)).toEqual([
    "another person's",
  ]);
  expect((await page.request.get("/api/v1/me")).status()).toBe(401);
  await page.goto("/");
  await expect(page).toHaveURL(/\/sign-in/);
  await page.context().close();
});

test("the second factor is a code of an app, or a backup code", async ({ browser }) => {
  const page = await openBrowser(browser, server);
  await page.goto("/sign-in?next=/account");
  await signIn(page, bob);
  const section = page.getByRole("region", { name: "Two-factor authentication" });
  await section.getByLabel("Your password").fill(bob.password);
  await section.getByRole("button", { name: "Turn on…" }).click();
  await expect(section.getByRole("img", { name: "QR code for an authenticator app" })).toBeVisible();
  await expectAccessible(page);
  const secret = (await section.locator("code").textContent()) ?? "";
  await section.getByLabel("Code", { exact: true }).fill("000000");
  await section.getByRole("button", { name: "Turn on" }).click();
  await expect(section.getByRole("alert")).toContainText("This code is wrong.");
  await section.getByLabel("Code", { exact: true }).fill(toTotp(secret));
  await section.getByRole("button", { name: "Turn on" }).click();
  const backupCode = await section
    .getByRole("list", { name: "Backup codes" })
    .getByRole("listitem")
    .first()
    .innerText();
  await section.getByRole("button", { name: "I have stored them" }).click();
  await expect(section).toContainText("It is on.");
  await signOut(page);
  await signIn(page, bob);
  await expect(page.getByLabel("Code")).toBeFocused();
  expect((await page.request.get("/api/v1/me")).status()).toBe(401);
  await expectAccessible(page);
  // A code signs in once: the one that turned it on is used up, the next one is accepted a period early.
  await page.getByLabel("Code").fill(toTotp(secret, Date.now() + 30_000));
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${server.url}/`);
  await signOut(page);
  await signIn(page, bob);
  await page.getByRole("button", { name: "Use a backup code" }).click();
  await page.getByLabel("Backup code").fill(backupCode);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${server.url}/`);
  await page.context().close();
});

test("a passkey signs in without a password", async ({ browser }) => {
  const page = await openBrowser(browser, server);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
  } as const;
  const always = { isUserVerified: true, automaticPresenceSimulation: true };
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options: { ...options, ...always } });
  await page.goto("/sign-in?next=/account");
  await signIn(page, ada);
  await page.getByLabel("Name of a new passkey").fill("Laptop");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await expect(page.getByRole("list", { name: "Passkeys" })).toContainText("Laptop");
  await expectAccessible(page);
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(`${server.url}/`);
  await page.goto("/account");
  await page.getByRole("button", { name: "Delete Laptop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("list", { name: "Passkeys" })).toHaveCount(0);
  await page.context().close();
});

test("a link of an Admin sets a new password, once, and ends all sessions", async ({ browser }) => {
  // The new passkey ended the other sessions.
  await owner.goto("/sign-in?next=/settings");
  await signIn(owner, ada);
  await owner.getByRole("button", { name: "More for Bob" }).click();
  await owner.getByRole("menuitem", { name: "Link for a new password…" }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByRole("button", { name: "Make the link" }).click();
  const link = await dialog.getByLabel("Link for a new password").inputValue();
  const page = await openBrowser(browser, server);
  await page.goto("/reset-password");
  await expect(page.getByRole("main")).toContainText("This server sends no mail.");
  await expectAccessible(page);
  for (const outcome of ["The new password is set.", "This link was used or has expired."]) {
    await page.goto(link);
    await page.getByLabel("New password").fill("another long one");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByRole("main")).toContainText(outcome);
  }
  await page.context().close();
});

test("a user of several teams chooses one, and every page is of it", async () => {
  await owner.goto("/teams");
  await owner.getByLabel("Name of a new team").fill("Looms");
  await owner.getByRole("button", { name: "Create team" }).click();
  await owner.waitForURL(`${server.url}/`);
  await expect(owner.getByRole("heading", { name: "No flows yet" })).toBeVisible();
  await owner.context().clearCookies({ name: "swarmloom-team" });
  await owner.goto("/");
  await expect(owner).toHaveURL(/\/teams$/);
  await expectAccessible(owner);
  await owner.getByRole("button", { name: /My team/ }).click();
  await expect(owner.getByRole("link", { name: "Article" })).toBeVisible();
  const flow = await findFlow(owner);
  await openAccountMenu(owner);
  await owner.getByRole("menuitemradio", { name: "Looms" }).click();
  await expect(owner.getByRole("heading", { name: "No flows yet" })).toBeVisible();
  const team = await owner.locator("html").getAttribute("data-team");
  expect(team).not.toBe("local");
  await owner.goto(`/flows/${flow}`);
  await expect(owner.locator("html")).toHaveAttribute("data-team", "local");
  await owner.getByRole("link", { name: "Flows", exact: true }).click();
  await expect(owner.locator("html")).toHaveAttribute("data-team", team ?? "");
  await owner.goto("/settings");
  await owner.getByRole("button", { name: "Delete team…" }).click();
  const dialog = owner.getByRole("dialog");
  await dialog.getByLabel(/to confirm/).fill("looms");
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await dialog.getByLabel(/to confirm/).fill("Looms");
  await dialog.getByRole("button", { name: "Delete team" }).click();
  await expect(owner.getByRole("link", { name: "Article" })).toBeVisible();
});

test("who removes a member sees what of theirs goes on", async ({ browser }) => {
  const page = await openBrowser(browser, server);
  await signUp(page, await invite(owner, "admin"), toPerson("Dan"));
  const flow = await findFlow(page);
  const link = await page.request.post(`/api/v1/flows/${flow}/links`, { data: {} });
  expect(link.status()).toBe(201);
  const times = { cron: "0 9 * * *", timeZone: "UTC", input: "x", missed: "skip", overlap: false, enabled: true };
  const schedule = await page.request.post("/api/v1/schedules", { data: { flow, name: "Daily", ...times } });
  expect(schedule.status()).toBe(201);
  await owner.goto("/settings");
  await owner.getByRole("button", { name: "More for Dan" }).click();
  await owner.getByRole("menuitem", { name: "Remove from the team…" }).click();
  const dialog = owner.getByRole("dialog");
  const items = dialog.getByRole("list", { name: /^These go on/ }).getByRole("link");
  await expect(items).toHaveText(["Share link to “Article”", "Schedule “Daily”"]);
  await expectAccessible(owner);
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(owner.getByRole("list", { name: "Members" })).not.toContainText("dan@example.org");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "You are in no team yet" })).toBeVisible();
  await page.context().close();
});

test("a member leaves, and is in no team", async ({ browser }) => {
  const carol = toPerson("Carol");
  const page = await openBrowser(browser, server);
  await signUp(page, await invite(owner, "runner"), carol);
  await page.goto("/settings");
  await page.getByRole("button", { name: "More for Carol" }).click();
  await page.getByRole("menuitem", { name: "Leave the team…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("heading", { name: "You are in no team yet" })).toBeVisible();
  await page.context().close();
});

/** How many entries this browser keeps of users' work. */
const countKept = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const databases = (await indexedDB.databases()).flatMap(({ name }) =>
      name?.startsWith("swarmloom") ? [name] : [],
    );
    const counts = databases.map(
      (name) =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onerror = () => reject(opening.error);
          opening.onsuccess = () => {
            const counting = opening.result.transaction("editor").objectStore("editor").count();
            counting.onsuccess = () => resolve(counting.result);
          };
        }),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  });

test("a tab that was open at sign-out keeps nothing of the work in the browser", async ({ browser }) => {
  const page = await openBrowser(browser, server);
  await signUp(page, await invite(owner, "editor"), toPerson("Dora"));
  const tab = await page.context().newPage();
  await tab.goto(`/flows/${await findFlow(page)}`);
  await tab.route("**/api/v1/flows/*", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  const canvas = tab.locator("#flow-canvas");
  await canvas.press("a");
  await expect.poll(() => countKept(tab)).toBeGreaterThan(0);
  await signOut(page);
  await expect.poll(() => countKept(page)).toBe(0);
  await canvas.press("a");
  await tab.waitForTimeout(2_000);
  expect(await countKept(page)).toBe(0);
  await page.context().close();
});
