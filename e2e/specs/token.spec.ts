import { statSync } from "node:fs";
import path from "node:path";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";

const token = "e2e-token-0123456789";

/** The app with a token, for this file alone. */
const guarded = test.extend<object, object>({
  app: [
    async ({ browserName: _ }, use) => {
      const app = new AppServer({ SWARMLOOM_DEMO_SPEED: "100", SWARMLOOM_TOKEN: token });
      await app.start();
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

guarded("pages and API refuse requests without the token and explain what to do", async ({ page, app }) => {
  for (const address of ["/", "/runs", "/settings", "/runs/open", "/runs/compare", "/flows/x", "/runs/x", "/nothing"]) {
    const answer = await page.goto(address);
    expect([address, answer?.status()]).toEqual([address, 401]);
    await expect(page.getByRole("heading", { name: "This server expects its token" })).toBeVisible();
  }
  for (const address of ["/api/health", "/api/v1/flows", "/api/v1/runs/x/events", "/api/nothing"])
    expect((await fetch(app.url + address)).status, address).toBe(401);
  expect((await page.goto("/?token=wrong-token-0123456789"))?.status()).toBe(401);
  await expect(page.getByText("is not the one of this server")).toBeVisible();
});

guarded(
  "the address with the token opens the app, once and for the browser's session",
  async ({ page, context, app }) => {
    await page.goto(`/?token=${token}`);
    await expect(page).toHaveURL(`${app.url}/`);
    await expect(page.getByRole("link", { name: "Runs", exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.referrer + document.documentElement.outerHTML)).not.toContain(token);
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/", expires: -1 });
    expect(cookie?.value).not.toContain(token);
    await page.goto("/settings");
    await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible();
    expect(await page.evaluate(async () => (await fetch("/api/v1/flows")).status)).toBe(200);
  },
);

guarded("other programs show it as Bearer, and read it in a file of this user alone", async ({ app }) => {
  expect(app.authorization).toEqual({ authorization: `Bearer ${token}` });
  expect((await fetch(`${app.url}/api/v1/flows`, { headers: app.authorization })).status).toBe(200);
  const modes = ["", "token", "swarmloom.db"].map((name) => statSync(path.join(app.dataFolder, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600, 0o600]);
  await expect.poll(() => app.output).toContain("Swarmloom is ready");
  expect(app.output).not.toContain(token);
});

test("npm start -- --token creates a token and prints it in the URL that opens the app", async ({ page }) => {
  test.setTimeout(120_000);
  const app = new AppServer({}, ["--token"]);
  await app.start();
  try {
    await expect.poll(() => app.output).toMatch(/ready: http\S+\/\?token=[\w-]{43}/);
    expect((await fetch(`${app.url}/api/v1/flows`)).status).toBe(401);
    await page.goto(/http\S+token=\S+/.exec(app.output)?.[0] ?? "");
    await expect(page).toHaveURL(`${app.url}/`);
    await expect(page.getByRole("link", { name: "Runs", exact: true })).toBeVisible();
  } finally {
    await app.stop();
  }
});
