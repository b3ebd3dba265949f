import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/keyless-test";
import { noTeamLimits } from "../fixtures/team-limits";
import { EditorPage } from "../pages/editor-page";

test("a limit of runs a day refuses the next one in words, and shows what is used", async ({ page, api }) => {
  const { id } = await api.createFlow('name: Limited\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n');
  await api.waitForRun(await api.startRun(id, "go"));
  await page.goto("/settings/runs#limits");
  const limits = page.getByRole("region", { name: "Limits" });
  const { runsToday } = (await (await page.request.get("/api/v1/settings/limits")).json()).used;
  await limits.getByLabel("Runs a day").fill(String(runsToday));
  await limits.getByLabel("US dollars a month").fill("20");
  await limits.getByRole("button", { name: "Save" }).click();
  await expect(limits.getByRole("status")).toHaveText("Saved.");
  await expect(limits.getByRole("listitem").first()).toContainText(`of ${runsToday}`);
  await expectAccessible(page);
  try {
    const editor = new EditorPage(page);
    await editor.open(id);
    await page.getByRole("textbox", { name: "Input of the run" }).fill("again");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByText(/This team may start \d+ runs? a day, and has done so/)).toBeVisible();
  } finally {
    await page.request.put("/api/v1/settings/limits", {
      data: noTeamLimits,
    });
  }
});
