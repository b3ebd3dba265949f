import type { LLMock } from "@copilotkit/aimock";
import type { Api } from "../fixtures/api";
import { countEvents, pointerEvents } from "../fixtures/count-events";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { KeyboardRun } from "../pages/keyboard-run";

test.use({ demoSpeed: 8 });

/** Runs for minutes, with some ten steps a second. */
const lasting = (name: string): string => `name: ${name}
agents:
  weaver: { model: "demo:writer", instructions: Weave a line. }
loops:
  row: { body: weaver, count: 100 }
  cloth: { body: row, count: 10 }
swarm: { type: workflow, flow: cloth }
`;

test("the tree follows the end of a live run, stops following when the user moves up, and can resume", async ({
  page,
  api,
}) => {
  test.setTimeout(240_000);
  const pointers = await countEvents(page, pointerEvents);
  const { id } = await api.createFlow(lasting("Goes on"));
  const runId = await api.startRun(id, "Looms");
  const keyboard = new KeyboardRun(page);
  const { run, selected } = keyboard;
  const jump = page.getByRole("button", { name: /^Jump to live/ });
  await keyboard.openNewest("Goes on");
  await keyboard.expectFollowed();
  await keyboard.expectFollowed();
  await expect(jump).toHaveCount(0);

  await keyboard.goToSteps();
  await keyboard.press("Home");
  await expect(selected).toBeInViewport({ ratio: 1 });
  await keyboard.rowsAfter(20);
  await expect(selected).toHaveAttribute("aria-rowindex", "2");
  await expect(selected).toBeInViewport({ ratio: 1 });
  await expect(jump).toHaveText(/Jump to live \(\d+ new\)/);
  await keyboard.goTo(jump);
  await keyboard.press("Enter");
  await keyboard.expectFollowed();

  // Backwards over the elements before it: after it is a list that grows as agents end.
  await keyboard.goBackToSteps();
  await keyboard.press("End");
  await keyboard.expectFollowed();
  await keyboard.expectFollowed();
  await keyboard.press("ArrowUp");
  await expect(selected).toBeInViewport({ ratio: 1 });
  await keyboard.rowsAfter(20);
  await expect(selected).toBeInViewport({ ratio: 1 });
  await expect(jump).toBeVisible();
  await keyboard.press("End");
  await keyboard.expectFollowed();
  await expect(jump).toHaveCount(0);
  expect(await pointers()).toBe(0);

  await api.cancelRun(runId);
  await expect(run.status("Cancelled")).toBeVisible();
  const { state } = await api.waitForRun(runId);
  // Beside the steps there are rows of agents that were not reached, and of steps that ran at once.
  const rowCount = async (): Promise<number> => Number(await run.steps.getAttribute("aria-rowcount"));
  await expect.poll(rowCount).toBeGreaterThan(state.nodes.length);
});

const sleeping = `name: Few rows
agents: { sleeper: { model: "openai:asleep" } }
swarm: { type: workflow, flow: sleeper }
`;

/** Starts a run whose only step takes longer than a test. */
async function startSleeping(api: Api, wire: LLMock): Promise<string> {
  wire.on({ model: "asleep" }, { content: "Late." }, { latency: 120_000 });
  const { id } = await api.createFlow(sleeping);
  return api.startRun(id, "Looms");
}

test("a live run shows the few rows that it has, and is accessible", async ({ page, api, wire }) => {
  const runId = await startSleeping(api, wire);
  const { run } = new KeyboardRun(page);
  await run.open(runId);
  await expect(run.row("Model call openai:asleep")).toBeInViewport();
  for (const row of await run.steps.getByRole("row").all()) await expect(row).toBeInViewport();
  await expectAccessible(page);
  await api.cancelRun(runId);
  await expect(run.status("Cancelled")).toBeVisible();
  await expectAccessible(page);
});

test.describe("with reduced motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves while a run is live", async ({ page, api, wire }) => {
    const runId = await startSleeping(api, wire);
    const { run } = new KeyboardRun(page);
    await run.open(runId);
    await expect(run.row("Model call openai:asleep")).toBeInViewport();
    const moving = () =>
      page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
    await expect.poll(moving).toBe(0);
    await api.cancelRun(runId);
  });
});
