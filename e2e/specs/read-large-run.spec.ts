import { countEvents, pointerEvents } from "../fixtures/count-events";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { KeyboardRun } from "../pages/keyboard-run";

test.use({ demoSpeed: 200 });

/** Ten times 33 rounds of three steps each, and an agent that fails. */
const thousand = `name: A thousand steps
agents:
  weaver: { model: "demo:writer", instructions: Weave a line. }
  last: { model: "demo:writer", instructions: "demo: error 400" }
loops:
  row: { body: weaver, count: 33 }
  cloth: { body: row, count: 10 }
swarm: { type: workflow, flow: cloth >> last }
`;

test("a loop of 1,000 steps: first and last row, the failed step, and four views by keyboard", async ({
  page,
  api,
}) => {
  test.setTimeout(180_000);
  const pointers = await countEvents(page, pointerEvents);
  const { id } = await api.createFlow(thousand);
  const runId = await api.startRun(id, "Looms");
  const { state } = await api.waitForRun(runId, 120);
  const steps = state.nodes.length;
  expect(steps).toBeGreaterThan(1000);
  const keyboard = new KeyboardRun(page);
  const { run, selected } = keyboard;
  await keyboard.openNewest("A thousand steps");
  await keyboard.goToSteps();
  await expect(run.steps).toHaveAttribute("aria-rowcount", `${steps + 1}`);
  expect(await run.steps.getByRole("row").count()).toBeLessThan(100);

  await keyboard.press("End");
  await expect(selected).toHaveAttribute("aria-rowindex", `${steps + 1}`);
  await keyboard.expectSelected(/^Model call demo:writer, Failed$/);
  await expect(selected).toBeInViewport({ ratio: 1 });
  await keyboard.press("Home");
  await expect(selected).toHaveAttribute("aria-rowindex", "2");
  await keyboard.expectSelected(/^Swarm A thousand steps, Failed/);
  await expect(selected).toBeInViewport({ ratio: 1 });
  await keyboard.press("]");
  await expect(selected).toHaveAttribute("aria-rowindex", `${steps + 1}`);
  await keyboard.expectSelected(/^Model call demo:writer, Failed$/);
  await expect(selected).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await keyboard.press("ArrowLeft");

  await keyboard.switchTo("Flame graph");
  await expect(page.getByRole("application", { name: "Flame graph of the run" })).toHaveAccessibleDescription(
    /^Agent last, Failed/,
  );
  await expectAccessible(page);
  await keyboard.switchTo("Canvas");
  const card = page.getByRole("article", { name: "Agent last" });
  await expect(card).toHaveAttribute("aria-current", "true");
  await expect(card).toHaveAccessibleDescription(/^Failed/);
  await expectAccessible(page);
  await keyboard.switchTo("Conversation");
  const said = page.getByRole("grid", { name: "Conversation" }).getByRole("row", { selected: true });
  await expect(said).toContainText("last");
  await expect(said).toBeInViewport();
  await page.reload();
  await expect(said).toBeInViewport();
  await expectAccessible(page);
  await keyboard.switchTo("Timeline");
  await expect(selected).toBeInViewport({ ratio: 1 });
  await keyboard.expectSelected(/^Agent last, Failed/);
  expect(await pointers()).toBe(0);
});
