import type { Page } from "@playwright/test";
import type { Api } from "../fixtures/api";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 200, longestAnswer: 25 });

const chain = `name: Forks
agents:
  planner: { model: "demo:planner" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;

/** A step that is reused takes no time. */
function isReused(run: Awaited<ReturnType<Api["getRun"]>>, path: string): boolean {
  const step = run.state.nodes.find((node) => node.path === path);
  return step?.status === "SUCCESS" && step.startedAt === step.endedAt;
}

/** The page of a run that has ended. */
async function openEnded(page: Page, api: Api, source: string) {
  const { id } = await api.createFlow(source);
  const parent = await api.startRun(id, "Weave a carpet.");
  await api.waitForRun(parent);
  const run = new RunPage(page);
  await run.open(parent);
  return { run, parent };
}

/** The id of the run that the page shows once it shows another than `parent`. */
async function shownFork(page: Page, parent: string): Promise<string> {
  await expect(page).not.toHaveURL(new RegExp(parent));
  return new URL(page.url()).pathname.split("/").at(-1) ?? "";
}

for (const width of [1440, 390])
  test(`${width} px: a run is continued from a step with another input, and compared`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 900 });
    const { run, parent } = await openEnded(page, api, chain);
    await run.row("Agent writer").click();
    await page.getByRole("button", { name: "Run from here with changes…" }).click();
    const dialog = page.getByRole("dialog", { name: 'Run from "writer"' });
    await dialog.getByLabel("Input").fill("Knot a net.");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Start" }).click();
    const fork = await shownFork(page, parent);
    const ended = await api.waitForRun(fork);
    expect(ended.status).toBe("SUCCESS");
    expect(isReused(ended, "planner")).toBe(true);
    expect(isReused(ended, "writer")).toBe(false);
    await expect(run.row("Agent planner").getByRole("gridcell", { name: "Reused from the run before" })).toHaveText(
      "reused",
    );
    await run.row("Agent writer").click();
    await run.showTab("Input");
    await expect(run.panel).toContainText("Knot a net.");
    await page.getByRole("button", { name: "Run actions" }).click();
    await page.getByRole("menuitem", { name: "Compare with the run that it continues" }).click();
    await expect(page).toHaveURL(new RegExp(`${parent}.*${fork}`));
  });

test("two clicks continue a run from a step", async ({ page, api }) => {
  const { run, parent } = await openEnded(page, api, chain);
  await run.row("Agent writer").click();
  await page.getByRole("button", { name: "Run from here", exact: true }).click();
  const fork = await api.waitForRun(await shownFork(page, parent));
  expect([fork.status, isReused(fork, "planner"), isReused(fork, "writer")]).toEqual(["SUCCESS", true, false]);
});

test("a failed run is tried again from its failed step by keyboard: what had finished is reused", async ({
  page,
  api,
}) => {
  const failing = chain.replace('"demo:writer"', '"demo:writer", instructions: "demo: error 503", max_retries: 0');
  const { parent } = await openEnded(page, api, failing);
  await page.getByRole("button", { name: "Retry from writer" }).press("Enter");
  const again = await api.waitForRun(await shownFork(page, parent));
  expect(again.status).toBe("FAILED");
  expect(isReused(again, "planner")).toBe(true);
  await page.getByRole("link", { name: "Continues another run" }).click();
  await expect(page).toHaveURL(new RegExp(parent));
});
