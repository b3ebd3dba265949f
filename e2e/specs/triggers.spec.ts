import { execFileSync } from "node:child_process";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { RunPage } from "../pages/run-page";
import { TriggersPage } from "../pages/triggers-page";

test.use({ demoSpeed: 100 });

const source = 'name: Desk\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';

for (const [width, theme] of [
  [1440, "light"],
  [390, "dark"],
] as const)
  test.describe(`${width} px, ${theme}`, () => {
    test.use({ viewport: { width, height: 900 }, colorScheme: theme });

    test("a schedule is written by keyboard, previewed, switched off and deleted", async ({ page, api }) => {
      const { id } = await api.createFlow(source);
      const triggers = new TriggersPage(page);
      await triggers.open(id);
      await expect(triggers.schedules).toContainText("No schedules yet");
      await expectAccessible(page);
      await triggers.schedules.getByRole("button", { name: "New schedule" }).press("Enter");
      await triggers.field("Name").fill("Morning report");
      await triggers.field("Times").selectOption("own");
      await triggers.field("Cron expression").fill("61 9 * * *");
      await expect(triggers.dialog).toContainText("Invalid value for minute: 61");
      await triggers.field("Cron expression").fill("30 9 * * 1-5");
      await triggers.field("Time zone").fill("Asia/Kolkata");
      await expect(triggers.dialog).toContainText("At 09:30, Monday through Friday");
      await expect(triggers.dialog.getByRole("listitem")).toHaveCount(5);
      await expect(triggers.dialog.getByRole("listitem").first()).toContainText("09:30");
      await expectAccessible(page);
      await triggers.field("Input of each run").fill("Summarise yesterday.");
      await triggers.field("Input of each run").press("Tab");
      await triggers.dialog.getByRole("button", { name: "Create schedule" }).press("Enter");
      const row = triggers.row("Morning report");
      await expect(row).toContainText("At 09:30, Monday through Friday (Asia/Kolkata)");
      await expect(row).toContainText(/Next \w{3}, .*09:30/);
      await row.getByRole("button", { name: "Switch off Morning report" }).click();
      await expect(row.getByText("Off", { exact: true })).toBeVisible();
      await row.getByRole("button", { name: "Edit Morning report" }).click();
      await expect(triggers.field("Input of each run")).toHaveValue("Summarise yesterday.");
      await triggers.field("Name").fill("Evening report");
      await triggers.dialog.getByRole("button", { name: "Save" }).click();
      await triggers.row("Evening report").getByRole("button", { name: "Delete Evening report" }).click();
      await triggers.dialog.getByRole("button", { name: "Delete schedule" }).click();
      await expect(triggers.schedules).toContainText("No schedules yet");
    });

    test("a webhook starts a run by the shown example, and refuses requests that are not signed", async ({
      page,
      api,
    }) => {
      const { id } = await api.createFlow(source);
      const triggers = new TriggersPage(page);
      await triggers.open(id);
      await triggers.webhooks.getByRole("button", { name: "New webhook" }).click();
      await triggers.field("Name").fill("New tickets");
      await triggers.dialog.getByRole("button", { name: "Create webhook" }).click();
      await expect(triggers.dialog).toContainText("it is not shown again");
      await expectAccessible(page);
      const [secret, address] = [await triggers.readValue("Secret"), await triggers.readValue("Address")];
      const example = await triggers.dialog.locator("pre").innerText();
      await triggers.dialog.getByRole("button", { name: "I have copied it" }).click();

      const refused = await fetch(address, { method: "POST", body: "Let me in." });
      expect(refused.status).toBe(404);
      const row = triggers.row("New tickets");
      await expect(row).toContainText("Refused");
      await expect(row).toContainText("were not all there");

      const answer = execFileSync("bash", ["-c", example], {
        env: { ...process.env, SECRET: secret },
        encoding: "utf8",
      });
      const runId = String(JSON.parse(answer).id);
      await api.waitForRun(runId);
      await expect(row.getByText("Succeeded")).toBeVisible();
      await expect(page.locator("body")).not.toContainText(secret);
      await expectAccessible(page);
      await row.getByRole("link", { name: "All its runs" }).click();
      await expect(page.getByRole("link", { name: "Desk" })).toHaveCount(1);
      await expect(page.getByText("by Webhook “New tickets”")).toBeVisible();
      await new RunPage(page).open(runId);
      await expect(page.getByRole("link", { name: "Started by" })).toHaveCount(width === 1440 ? 1 : 0);
      await expect(page.getByText("A printer is on fire.").first()).toBeVisible();
    });
  });
