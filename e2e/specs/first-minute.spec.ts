import { expect, test } from "@playwright/test";
import { AppServer } from "../fixtures/app-server";
import { RunPage } from "../pages/run-page";

test("a fresh start offers the demo, and one click runs it without a key", async ({ page }) => {
  test.setTimeout(180_000);
  const app = new AppServer();
  await app.start();
  try {
    await page.goto(app.url);
    await page.getByRole("button", { name: "Run the demo" }).click();
    await page.waitForURL(/\/runs\//);
    const run = new RunPage(page);
    await expect(run.row("Agent writer").getByText("writer")).toBeVisible({ timeout: 60_000 });
    await expect(run.status("Succeeded")).toBeVisible({ timeout: 60_000 });
    await expect(run.status("Simulated")).toBeVisible();
    await expect(run.row("Tool call").first()).toBeVisible();
    await expect(run.detail).toContainText("Simulated answer (no model was asked)");
    await page.goto(`${app.url}/runs`);
    await expect(page.getByText("Simulated")).toBeVisible();
  } finally {
    await app.stop();
  }
});
