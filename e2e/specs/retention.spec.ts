import path from "node:path";
import Database from "better-sqlite3";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";

test("old runs are shown before they are deleted, and the setting is kept", async ({ page }) => {
  const app = new AppServer({ SWARMLOOM_DEMO_SPEED: "1000" });
  await app.start();
  try {
    const api = new Api(app.url);
    const flow = await api.createFlow('name: Aged\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n');
    for (let count = 0; count < 3; count++) await api.waitForRun(await api.startRun(flow.id, "go"));
    const database = new Database(path.join(app.dataFolder, "swarmloom.db"));
    database.prepare('UPDATE "Run" SET "endedAt" = ?').run("2020-01-01T00:00:00.000+00:00");
    database.close();
    await page.goto(`${app.url}/settings/runs#retention`);
    const retention = page.getByRole("region", { name: "Retention" });
    await retention.getByLabel("Newest runs of each flow that always stay").fill("1");
    await retention.getByRole("button", { name: "Show what would be deleted" }).click();
    await expect(retention.getByRole("status")).toContainText("2 runs of 3 would be deleted now");
    await expect(retention.getByRole("listitem")).toHaveText(["Aged2 runs"]);
    await expectAccessible(page);
    await retention.getByLabel("Delete old runs").check();
    await retention.getByRole("button", { name: "Save" }).click();
    await expect(retention.getByRole("status")).toHaveText("Saved. Old runs are deleted once an hour.");
    await page.reload();
    await expect(retention.getByLabel("Delete old runs")).toBeChecked();
    await expect(retention.getByLabel("Newest runs of each flow that always stay")).toHaveValue("1");
    await app.kill();
    await app.start();
    await expect
      .poll(async () => (await (await fetch(`${app.url}/api/v1/runs?flow=${flow.id}`)).json()).runs.length)
      .toBe(1);
  } finally {
    await app.stop();
  }
});
