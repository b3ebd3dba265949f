import type { Browser } from "@playwright/test";
import { countEvents, pointerEvents } from "../fixtures/count-events";
import { expectAccessible } from "../fixtures/expect-accessible";
import { tabTo } from "../fixtures/tab-to";
import { expect, test } from "../fixtures/test";
import { ComparePage } from "../pages/compare-page";
import { KeyboardRun } from "../pages/keyboard-run";
import { RunListPage } from "../pages/run-list-page";

test.use({ demoSpeed: 200 });

const looms = (name: string): string => `name: ${name}
agents:
  drafter: { model: "demo:writer" }
  critic: { model: "demo:critic" }
  editor: { model: "demo:summariser" }
groups:
  review: { type: parallel, flow: critic | editor }
swarm: { type: workflow, flow: drafter >> review }
`;

/** The run page at a URL, in a new browser context. */
async function openElsewhere(browser: Browser, address: string): Promise<KeyboardRun> {
  const context = await browser.newContext();
  const keyboard = new KeyboardRun(await context.newPage());
  await keyboard.page.goto(address);
  return keyboard;
}

test("a URL restores the same view elsewhere: step, time range, search, collapsed rows and playback position", async ({
  page,
  browser,
  api,
}) => {
  const pointers = await countEvents(page, pointerEvents);
  const { id } = await api.createFlow(looms("Shared"));
  await api.waitForRun(await api.startRun(id, "demo: error 400"));
  const keyboard = new KeyboardRun(page);
  await keyboard.openNewest("Shared");
  await keyboard.goToSteps();
  await keyboard.press("/");
  await expect(keyboard.search).toBeFocused();
  await page.keyboard.type("r");
  await keyboard.press("ArrowDown");
  await expect(keyboard.run.steps).toBeFocused();
  await tabTo(page.getByRole("button", { name: "Errors only" }));
  await keyboard.press("Enter");
  await keyboard.moveMoment("Home", ...Array.from({ length: 30 }, () => "ArrowRight"));
  await keyboard.goToSteps();
  await keyboard.press("Home", "ArrowDown", "ArrowLeft", "+", "+");
  await keyboard.expectSelected(/^Agent drafter/);
  await expect(keyboard.selected).toHaveAttribute("aria-expanded", "false");
  await expect
    .poll(() => [...new URL(page.url()).searchParams.keys()].sort())
    .toEqual(["at", "errors", "fold", "from", "node", "q", "to"]);
  const shown = await keyboard.picture();
  expect(shown).toMatchObject({ view: "Timeline", step: "drafter", search: "r", errorsOnly: "true" });

  const other = await openElsewhere(browser, page.url());
  await expect(other.selected).toBeVisible();
  await expect.poll(() => other.picture()).toEqual(shown);
  await expect(other.selected).toHaveAttribute("aria-expanded", "false");
  expect(other.page.url()).toBe(page.url());
  await other.page.context().close();
  expect(await pointers()).toBe(0);
});

test("a URL restores each of the four views elsewhere, with the selected step", async ({ page, browser, api }) => {
  const { id } = await api.createFlow(looms("Shared views"));
  await api.waitForRun(await api.startRun(id, "Tell me of looms"));
  const keyboard = new KeyboardRun(page);
  await keyboard.openNewest("Shared views");
  await keyboard.goToSteps();
  await keyboard.press("End", "ArrowLeft");
  await keyboard.expectSelected(/^Agent editor, Succeeded/);
  for (const [view, url] of [
    ["Flame graph", /view=flame/],
    ["Canvas", /view=canvas/],
    ["Conversation", /view=conversation/],
    ["Timeline", /^(?!.*view=)/],
  ] as const) {
    await keyboard.switchTo(view);
    // The URL follows the view a moment later.
    await expect(page).toHaveURL(url);
    const other = await openElsewhere(browser, page.url());
    await expect(other.view(view)).toHaveAttribute("aria-pressed", "true");
    await expect(other.run.detail.getByRole("heading", { level: 2 })).toHaveText("editor");
    await other.page.context().close();
  }
});

test("two runs are compared by keyboard, from the run list and from the menu of a run", async ({ page, api }) => {
  const pointers = await countEvents(page, pointerEvents);
  const { id } = await api.createFlow(looms("Compared by keys"));
  for (const input of ["Tell me of looms", "demo: error 400"]) await api.waitForRun(await api.startRun(id, input));
  const list = new RunListPage(page);
  await list.open();
  const rows = list.rows.filter({ hasText: "Compared by keys" });
  for (const at of [0, 1]) {
    await tabTo(list.box(rows.nth(at)));
    await page.keyboard.press("Space");
  }
  await tabTo(list.compare);
  await page.keyboard.press("Enter");
  const compare = new ComparePage(page);
  await expect(compare.row("Agent drafter")).toContainText("Failed");
  const address = page.url();
  await tabTo(compare.steps);
  await page.keyboard.press("n");
  await expect(compare.steps.getByRole("row", { selected: true })).toBeVisible();
  await expectAccessible(page);

  const keyboard = new KeyboardRun(page);
  await keyboard.openNewest("Compared by keys");
  await tabTo(page.getByRole("button", { name: "Run actions" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Compare with the previous run" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(compare.row("Agent drafter")).toContainText("Failed");
  expect(page.url().split("&")[0]).toBe(address.split("&")[0]);
  expect(await pointers()).toBe(0);
});

for (const view of ["canvas", "conversation"])
  test(`the ${view} of a run has the menu of rare choices, too`, async ({ page, api }) => {
    const { id } = await api.createFlow(looms("Rare"));
    const runId = await api.startRun(id, "x");
    await api.waitForRun(runId);
    await page.goto(`/runs/${runId}?view=${view}&from=0&to=1`);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Show the whole run" }).click();
    await expect.poll(() => new URL(page.url()).search).toBe(`?view=${view}`);
  });
