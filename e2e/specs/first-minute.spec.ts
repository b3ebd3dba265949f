import { expect, type Page, test } from "@playwright/test";
import { AppServer } from "../fixtures/app-server";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

/** Counts the clicks of a person over all pages of the tab. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const add = (event: Event): void => {
      if (event.isTrusted) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks")) + 1));
    };
    window.addEventListener("pointerdown", add, { capture: true });
  });
  return () => page.evaluate(() => Number(sessionStorage.getItem("clicks")));
}

test("a newcomer runs the demo, reads its answer, edits it and runs it again, in at most 5 clicks and without a key", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const app = new AppServer();
  await app.start();
  try {
    const clicks = await countClicks(page);
    const editor = new EditorPage(page);
    await page.goto(app.url);
    await page.getByRole("button", { name: "Run the demo" }).click();
    await page.waitForURL(/\/flows\/.+run=/);
    const answer = editor.runPanel.getByRole("region", { name: "Answer of the run" });
    await expect(editor.runStatus("Running")).toBeVisible();
    await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
    await expect(editor.runPanel.getByText("Simulated", { exact: true })).toBeVisible();
    await expect(answer).toContainText("Simulated answer (no model was asked)");
    await expect(answer).toBeInViewport();

    await editor.card("writer").click();
    await page.getByRole("textbox", { name: "Instructions" }).click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText("Write one sentence.");
    await editor.startedBy(() => editor.run.click());
    await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
    expect(await clicks()).toBeLessThanOrEqual(5);

    await editor.openTimeline();
    const run = new RunPage(page);
    await run.row("Agent writer").click();
    await expect(run.status("Simulated")).toBeVisible();
    await page.goto(`${app.url}/runs`);
    await expect(page.getByText("Simulated", { exact: true })).toHaveCount(2);
  } finally {
    await app.stop();
  }
});
