import type { LLMock } from "@copilotkit/aimock";
import { type HeldModel, holdModel } from "../fixtures/held-model";
import { expect, test } from "../fixtures/test";
import { CanvasFollow } from "../pages/canvas-follow";
import { EditorPage } from "../pages/editor-page";

test.use({ viewport: { width: 900, height: 700 }, isTextOpen: false });

/** A chain of 24 agents that is larger than the window; all but two of them answer at once. */
function holdChain(wire: LLMock): { source: string; middle: HeldModel; last: HeldModel } {
  wire.on({ model: "quick" }, { content: "Go on." });
  const [middle, last] = [holdModel(wire), holdModel(wire)];
  const models = new Map([
    [11, middle.model],
    [23, last.model],
  ]);
  const agents = Array.from(
    { length: 24 },
    (_, index) => `  step_${index}: { model: "${models.get(index) ?? "openai:quick"}" }\n`,
  );
  const chain = agents.map((_, index) => `step_${index}`).join(" >> ");
  return { source: `name: Long\nagents:\n${agents.join("")}swarm: { flow: ${chain} }\n`, middle, last };
}

test("the view moves along with a run until it ends", async ({ page, api, wire }) => {
  const { source, middle } = holdChain(wire);
  const { id } = await api.createFlow(source);
  const run = await api.startRun(id, "go");
  await api.waitForStep(run, "step_11", "RUNNING");
  await page.goto(`/flows/${id}?run=${run}`);
  const follow = new CanvasFollow(page);
  await expect(follow.button).toHaveText("Following the run");
  await follow.expectPressed(true);
  await follow.expectInView("step_11");
  await follow.expectNotInView("step_0");

  middle.release();
  await follow.expectInView("step_23");
  await follow.expectNotInView("step_11");
  await api.cancelRun(run);
  await expect(follow.button).toHaveCount(0);
});

test("a touch of the canvas ends the following, until it is asked for again", async ({ page, api, wire }) => {
  const { source, middle } = holdChain(wire);
  const { id } = await api.createFlow(source);
  const run = await api.startRun(id, "go");
  await page.goto(`/flows/${id}?run=${run}`);
  const follow = new CanvasFollow(page);
  await follow.expectInView("step_11");

  await follow.canvas.hover();
  await page.mouse.wheel(0, -4000);
  await expect(follow.button).toHaveText("Follow the run");
  await follow.expectPressed(false);
  await follow.expectNotInView("step_11");
  const viewport = await follow.viewport();
  middle.release();
  const rows = new EditorPage(page).runSteps.getByRole("listitem");
  await api.waitForStep(run, "step_23", "RUNNING");
  const row = rows.filter({ has: page.getByText("step_23", { exact: true }) });
  await expect(row).not.toContainText("not started");
  expect(await follow.viewport()).toBe(viewport);
  await follow.button.click();
  await follow.expectPressed(true);
  await follow.expectInView("step_23");

  const controls = page.getByRole("group", { name: "View of the canvas" });
  for (const moveView of [
    () => controls.getByRole("button", { name: "Zoom in (=)" }).click(),
    () => follow.canvas.press("-"),
    () => controls.getByRole("button", { name: "Fit view" }).click(),
  ]) {
    await moveView();
    await follow.expectPressed(false);
    await follow.button.click();
    await follow.expectPressed(true);
    await follow.expectInView("step_23");
  }
});

test("a step that waits stays in view when the run panel closes and opens", async ({ page, api, wire }) => {
  const { source } = holdChain(wire);
  const { id } = await api.createFlow(source);
  const run = await api.startRun(id, "go");
  await page.goto(`/flows/${id}?run=${run}`);
  const [follow, editor] = [new CanvasFollow(page), new EditorPage(page)];
  await expect(editor.runPanel).toBeVisible();
  await follow.expectInView("step_11");
  await editor.runSummary.click();
  await expect(editor.runPanel).toHaveCount(0);
  await follow.expectInView("step_11");
  await editor.runSummary.click();
  await expect(editor.runPanel).toBeVisible();
  await follow.expectInView("step_11");
  await follow.expectPressed(true);
});
