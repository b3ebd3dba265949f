import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { KeysSection } from "../pages/keys-section";

const source = (name: string) => `name: ${name}\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n`;
test.use({ demoSpeed: 1000 });

test("a key is made, shown once, works within its scopes, and is revoked", async ({ page, app }) => {
  const keys = new KeysSection(page);
  await keys.open();
  await keys.newKey.click();
  await keys.name.fill("Deployment");
  await keys.scope("Start and control runs").uncheck();
  await expect(keys.scope("Read runs")).toBeChecked();
  await expectAccessible(page);
  await keys.make.click();
  await expect(keys.secret).toBeVisible();
  await expectAccessible(page);
  const secret = (await keys.secret.textContent()) ?? "";
  await keys.done.click();
  await expect(keys.key("Deployment")).toContainText("Read flows, Read runs");
  await expect(keys.key("Deployment")).toContainText("Not used yet");
  await expect(keys.key("Deployment")).toContainText(secret.slice(-4));
  expect(await page.content()).not.toContain(secret);

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${app.url}/api/v1${path}`, { ...init, headers: { authorization: `Bearer ${secret}` } });
  const listed = await ask("/runs");
  expect([listed.status, listed.headers.get("ratelimit-limit")]).toEqual([200, "600"]);
  expect((await ask("/keys")).status).toBe(403);
  await page.reload();
  await expect(keys.key("Deployment")).toContainText("Last used");

  await keys.key("Deployment").getByRole("button", { name: "Revoke Deployment" }).click();
  await keys.dialog.getByRole("button", { name: "Revoke key" }).click();
  // A dialog hides what is under it.
  await expect(keys.dialog).toBeHidden();
  await expect(keys.key("Deployment")).toBeHidden();
  expect((await ask("/runs")).status).toBe(401);
});

test("the audit log is filtered and exported, and has what was done", async ({ page, api, app }) => {
  const flow = await api.createFlow(source("Audited flow"));
  await api.waitForRun(await api.startRun(flow.id, "go"));
  await page.goto("/settings/access#audit");
  await page.getByRole("link", { name: "Open the audit log" }).click();
  const entries = page.getByRole("list", { name: "Entries" }).getByRole("listitem");
  await page.getByRole("searchbox", { name: "Names" }).fill("audited");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText("You started a run of Audited flow");
  await expect(entries.last()).toContainText("You created the flow Audited flow");
  await expectAccessible(page);
  await page.getByRole("combobox", { name: "What" }).selectOption("flow.created");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(entries).toHaveCount(1);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "CSV" }).click();
  expect((await download).suggestedFilename()).toBe("audit.csv");
  await page.goto("/audit?q=nothing-matches");
  await expect(page.getByRole("heading", { name: "No entry matches" })).toBeVisible();
  await expectAccessible(page);
  const lines = await (await fetch(`${app.url}/api/v1/audit/export.jsonl?object=${flow.id}`)).text();
  expect(
    lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).action),
  ).toEqual(["flow.created"]);
});

test("who started a run is refused its approval where the team wants that", async ({ page, api }) => {
  await page.goto("/settings/tools#approvals");
  const rule = page.getByRole("checkbox", { name: "Someone other than the starter must approve" });
  await rule.check();
  await expect(page.getByRole("region", { name: "Approvals" }).getByRole("status")).toHaveText("Saved.");
  const flow = await api.createFlow(
    'name: Asked\nagents:\n  a: { model: "demo:a" }\napprovals:\n  check: { message: "Send it?" }\nswarm: { flow: a >> check }\n',
  );
  const run = await api.startRun(flow.id, "go");
  await page.goto(`/runs/${run}`);
  await page.getByRole("button", { name: "Approve" }).first().click();
  await expect(page.getByText("You started this run. In this team someone else has to approve it.")).toBeVisible();
  await page.goto("/settings/tools#approvals");
  await rule.uncheck();
  await expect(page.getByRole("region", { name: "Approvals" }).getByRole("status")).toHaveText("Saved.");
});

test("the API reference shows every operation, and leads to the document", async ({ page }) => {
  await page.goto("/docs/api");
  await page.getByText("Starts a run of the newest version").click();
  await expect(page.getByText("Idempotency-Key")).toBeVisible();
  await expectAccessible(page);
  const answer = await page.request.get("/api/v1/openapi.json");
  expect(await answer.json()).toMatchObject({ openapi: "3.1.1" });
});
