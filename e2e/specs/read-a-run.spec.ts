import { countEvents, pointerEvents } from "../fixtures/count-events";
import { expectAccessible } from "../fixtures/expect-accessible";
import { runsToRead } from "../fixtures/sample-runs";
import { expect, test } from "../fixtures/test";
import { KeyboardRun } from "../pages/keyboard-run";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 200 });

for (const read of runsToRead)
  test(`${read.title}: from the list to the step by keyboard, and replayed`, async ({ page, api, wire }) => {
    const pointers = await countEvents(page, pointerEvents);
    read.answers?.(wire);
    const { id } = await api.createFlow(read.source);
    const runId = await api.startRun(id, "Tell me of looms");
    await read.end?.(api, runId);
    const { state } = await api.waitForRun(runId);
    const keyboard = new KeyboardRun(page);
    const { run } = keyboard;
    await keyboard.openNewest(read.name);
    await expect(page).toHaveURL(new RegExp(runId));
    await expect(run.status(read.status)).toBeVisible();
    await keyboard.goToSteps();
    // Beside the steps there may be agents that were not reached.
    await expect
      .poll(async () => Number(await run.steps.getAttribute("aria-rowcount")))
      .toBeGreaterThan(state.nodes.length);
    expect(read.keys.length).toBeLessThanOrEqual(3);
    await keyboard.press(...read.keys);
    await keyboard.expectSelected(new RegExp(`^${read.step}, ${read.stepStatus}`));
    for (const name of read.also) await expect(run.steps.getByRole("gridcell", { name })).toBeVisible();
    await expectAccessible(page);

    await keyboard.press("Enter");
    await expect(run.detail).toBeFocused();
    await keyboard.openTab(read.tab);
    await expect(run.panel).toHaveText(read.words);

    await keyboard.moveMoment("Home");
    await expect(keyboard.moment).toHaveAttribute("aria-valuetext", "0 ms");
    await keyboard.expectSelected(new RegExp(`^${read.step}, Not started`));
    await keyboard.expectRootStatus("(Not started|Running)");
    await keyboard.press("ArrowRight", "ArrowRight", "ArrowLeft");
    await expect(keyboard.moment).toHaveValue("100");
    await keyboard.press("End");
    await keyboard.expectSelected(new RegExp(`^${read.step}, ${read.stepStatus}`));
    await keyboard.expectRootStatus(read.status);
    await keyboard.press(...Array.from({ length: 30 }, () => "ArrowLeft"));
    await keyboard.expectRootStatus("Running");
    expect(await pointers()).toBe(0);
  });

test("the selected row has a bar in the accent at its left end", async ({ page, api }) => {
  const { id } = await api.createFlow(
    `name: Bar\nagents: { weaver: { model: "demo:writer" } }\nswarm: { flow: weaver }\n`,
  );
  const run = new RunPage(page);
  await run.open(`${(await api.waitForRun(await api.startRun(id, "Looms"))).id}?node=2`);
  const row = run.row("Agent weaver");
  await expect(row).toHaveAttribute("aria-selected", "true");
  const isMarked = (): Promise<boolean> =>
    row.evaluate((element) => {
      const canvas = element.closest("[role=treegrid]")?.querySelector("canvas");
      const picture = canvas?.getContext("2d");
      const pixel = document.createElement("canvas").getContext("2d");
      if (!canvas || !picture || !pixel) return false;
      pixel.fillStyle = getComputedStyle(element).getPropertyValue("--accent");
      pixel.fillRect(0, 0, 1, 1);
      const rowBox = element.getBoundingClientRect();
      const y = rowBox.y + rowBox.height / 2 - canvas.getBoundingClientRect().y;
      const painted = picture.getImageData(1, Math.round(y * devicePixelRatio), 1, 1).data;
      return painted.join() === pixel.getImageData(0, 0, 1, 1).data.join();
    });
  await expect.poll(isMarked).toBe(true);
});
