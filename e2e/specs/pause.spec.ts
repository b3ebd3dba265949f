import { expectAccessible } from "../fixtures/expect-accessible";
import { holdModel } from "../fixtures/held-model";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 200, longestAnswer: 25 });

const describeFlow = (model: string): string => `name: Pauses
agents:
  planner: { model: "${model}" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;

for (const width of [1440, 390])
  test(`${width} px: a run is paused and resumed by keyboard in its timeline, and stays paused meanwhile`, async ({
    page,
    api,
    wire,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const planner = holdModel(wire);
    const { id } = await api.createFlow(describeFlow(planner.model));
    const runId = await api.startRun(id, "looms");
    const run = new RunPage(page);
    await run.open(runId);
    const answer = page.waitForResponse(/\/pause$/);
    await run.pause.press("Enter");
    await expect(page.getByRole("button", { name: "Pausing…" })).toBeFocused();
    await answer;
    planner.release();
    await expect(run.resume).toBeFocused();
    await expect(run.status("Paused")).toBeVisible();
    await expect(page.getByRole("status", { name: "Run progress" })).toHaveText("Run paused");
    await expectAccessible(page);
    await page.reload();
    await expect(run.status("Paused")).toBeVisible();
    expect((await api.getRun(runId)).state.nodes.map(({ name }) => name)).not.toContain("writer");
    await run.resume.press("Enter");
    await expect(run.status("Succeeded")).toBeVisible();
    await expect(run.resume).toHaveCount(0);
  });

test("a run is paused and resumed in the editor", async ({ page, api, wire }) => {
  await page.setViewportSize({ width: 1600, height: 900 });
  const planner = holdModel(wire);
  const { id } = await api.createFlow(describeFlow(planner.model));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("looms");
  const panel = page.getByRole("region", { name: "Run", exact: true });
  const answer = page.waitForResponse(/\/pause$/);
  await panel.getByRole("button", { name: "Pause", exact: true }).click();
  await answer;
  planner.release();
  await expect(editor.runStatus("Paused")).toBeVisible();
  await expectAccessible(page);
  await panel.getByRole("button", { name: "Resume", exact: true }).click();
  await expect(editor.runStatus("Succeeded")).toBeVisible();
});

test("a paused run is cancelled", async ({ page, api, wire }) => {
  const planner = holdModel(wire);
  const { id } = await api.createFlow(describeFlow(planner.model));
  const run = new RunPage(page);
  await run.open(await api.startRun(id, "looms"));
  const answer = page.waitForResponse(/\/pause$/);
  await run.pause.click();
  await answer;
  planner.release();
  await expect(run.status("Paused")).toBeVisible();
  await run.cancel.click();
  await expect(run.status("Cancelled")).toBeVisible();
});
