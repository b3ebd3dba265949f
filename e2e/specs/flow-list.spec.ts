import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { holdScript } from "../fixtures/hold-script";
import { expect, test } from "../fixtures/test";

test.use({ demoSpeed: 200 });

const flow = (name: string): string =>
  `name: ${name}\nagents:\n  planner: { model: "demo:p", instructions: "Plans the ${name} trip." }\n  writer: { model: "demo:w" }\nswarm: { flow: planner >> writer }\n`;

const item = (page: Page, name: string): Locator =>
  page
    .getByRole("list", { name: "Flows" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name, exact: true }) });

async function chooseInMenu(page: Page, name: string, entry: string): Promise<void> {
  await item(page, name).hover();
  await page.getByRole("button", { name: `More for ${name}`, exact: true }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

test("a flow has a picture, its last run and its number of runs", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Lakes"));
  await api.waitForRun(await api.startRun(id, "x"));
  await page.goto("/?q=lakes");
  const card = item(page, "Lakes");
  await expect(card.locator("svg path").first()).toBeAttached();
  await expect(card.getByRole("link", { name: "Last run of Lakes: Succeeded" })).toBeVisible();
  await expect(card).toContainText("2 agents, 1 run");
  await expectAccessible(page);
  await card.getByRole("link", { name: "1 run of Lakes" }).click();
  await expect(page).toHaveURL(new RegExp(`/runs\\?flow=${id}`));
});

test("search, tags, sort and view", async ({ page, api }) => {
  await api.createFlow(flow("Rivers"));
  await api.createFlow(flow("Oceans"));
  await page.goto("/");
  // A key that comes before the page is hydrated is lost.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByRole("searchbox", { name: "Search flows" })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type("plans the rivers");
  await expect(item(page, "Rivers")).toBeVisible();
  await expect(item(page, "Oceans")).toHaveCount(0);
  await expect(page).toHaveURL(/q=plans/);

  await chooseInMenu(page, "Rivers", "Edit tags…");
  const dialog = page.getByRole("dialog", { name: "Tags of “Rivers”" });
  await expect(dialog.getByRole("textbox", { name: "New tag" })).toBeFocused();
  const [place, row] = [
    await dialog.boundingBox(),
    await item(page, "Rivers").getByRole("link", { name: "Rivers" }).boundingBox(),
  ];
  expect(Math.abs((place?.x ?? 0) - (row?.x ?? 0))).toBeLessThan(12);
  await expectAccessible(page, "[role=dialog]");
  await dialog.getByRole("textbox", { name: "New tag" }).fill("Water");
  await dialog.getByRole("textbox", { name: "New tag" }).press("Enter");
  await expect(item(page, "Rivers")).toContainText("water");
  await dialog.getByRole("textbox", { name: "New tag" }).fill("Wide");
  await dialog.getByRole("textbox", { name: "New tag" }).press("Enter");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(item(page, "Rivers")).toContainText("wide");
  await chooseInMenu(page, "Rivers", "Edit tags…");
  await dialog.getByRole("button", { name: "Remove wide" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(item(page, "Rivers")).not.toContainText("wide");
  await expect(item(page, "Rivers").getByRole("link", { name: "Rivers", exact: true })).toBeFocused();
  await chooseInMenu(page, "Rivers", "Edit tags…");
  await dialog.getByRole("textbox", { name: "New tag" }).fill("Salt");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(item(page, "Rivers")).not.toContainText("salt");
  await page.getByRole("searchbox", { name: "Search flows" }).fill("no such flow");
  await page.getByRole("button", { name: "Show all flows" }).click();
  await expect(page.getByRole("searchbox", { name: "Search flows" })).toHaveValue("");
  await page.getByRole("button", { name: "water 1" }).click();
  await expect(page.getByRole("list", { name: "Flows" }).getByRole("listitem")).toHaveCount(1);
  await page.getByRole("button", { name: "water 1" }).click();
  const sort = page.getByRole("combobox", { name: "Sort by" });
  const widthBefore = (await sort.boundingBox())?.width ?? 0;
  await sort.selectOption("Name");
  // Its arrow is beside the word.
  expect((await sort.boundingBox())?.width).toBeLessThan(widthBefore);
  await expect(page).toHaveURL(/sort=name/);

  await page.getByRole("button", { name: "Show rows" }).click();
  await expect(item(page, "Rivers")).toContainText("planner >> writer");
  await page.reload();
  await expect(page.getByRole("button", { name: "Show rows" })).toHaveAttribute("aria-pressed", "true");
  await expectAccessible(page);
});

test("rename in place writes the name into the text", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Before"));
  await page.goto("/?q=before");
  await page.getByRole("link", { name: "Before", exact: true }).focus();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Name of the flow" }).fill("Afterwards");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Afterwards", exact: true })).toBeVisible();
  await expect.poll(() => api.getSource(id)).toContain("name: Afterwards");
});

test("arrow keys move between flows", async ({ page, api }) => {
  for (const name of ["Arrow A", "Arrow B"]) await api.createFlow(flow(name));
  await page.goto("/?q=arrow&sort=name");
  await page.getByRole("link", { name: "Arrow A", exact: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("link", { name: "Arrow B", exact: true })).toBeFocused();
  await page.keyboard.press("Home");
  await expect(page.getByRole("link", { name: "Arrow A", exact: true })).toBeFocused();
});

test("the trash gives back what was deleted", async ({ page, api }) => {
  await api.createFlow(flow("Discarded"));
  await page.goto("/?q=discarded");
  await chooseInMenu(page, "Discarded", "Move to trash");
  await expect(item(page, "Discarded")).toHaveCount(0);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(item(page, "Discarded")).toBeVisible();

  await page.getByRole("link", { name: "Discarded", exact: true }).focus();
  await page.keyboard.press("Delete");
  await expect(item(page, "Discarded")).toHaveCount(0);
  await page.getByRole("button", { name: "Trash", exact: true }).click();
  const trash = page.getByRole("dialog", { name: "Trash" });
  await expect(trash).toContainText("30 days left");
  await expectAccessible(page);
  await trash.getByRole("button", { name: "Restore Discarded" }).click();
  await expect(trash.getByText("Discarded")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(item(page, "Discarded")).toBeVisible();
});

test("the address of a flow in the trash offers to restore it", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Addressed"));
  await page.goto("/?q=addressed");
  await chooseInMenu(page, "Addressed", "Move to trash");
  await expect(item(page, "Addressed")).toHaveCount(0);
  await page.goto(`/flows/${id}`);
  await expect(page.getByRole("heading", { name: "“Addressed” is in the trash" })).toBeVisible();
  await page.getByRole("button", { name: "Restore" }).click();
  await expect(
    page
      .getByRole("application")
      .or(page.getByRole("article", { name: "Agent planner" }))
      .first(),
  ).toBeVisible();
});

test("runs a flow from the list, and copies count up", async ({ page, api }) => {
  await api.createFlow(flow("Copied"));
  await page.goto("/?q=copied");
  await chooseInMenu(page, "Copied", "Duplicate");
  await expect(item(page, "Copied (copy)")).toBeVisible();
  await chooseInMenu(page, "Copied", "Duplicate");
  await expect(item(page, "Copied (copy 2)")).toBeVisible();
  await item(page, "Copied").hover();
  await page.getByRole("button", { name: "Run Copied", exact: true }).click();
  await page.getByRole("textbox", { name: "Input" }).fill("Go");
  await page.keyboard.press("Control+Enter");
  await page.waitForURL(/\/runs\//);
});

test("a phone shows the main action first, and nothing leaves the screen", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await api.createFlow(flow("Narrow"));
  for (const address of [
    "/",
    "/runs",
    "/settings/connections",
    "/settings/runs",
    "/settings/tools",
    "/settings/access",
  ]) {
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await page.goto("/");
  const [create, templates] = await Promise.all([
    page.getByRole("button", { name: "New flow" }).boundingBox(),
    page.getByRole("button", { name: "Templates" }).boundingBox(),
  ]);
  expect(create?.y).toBeLessThan(templates?.y ?? 0);
});

test("a menu opens once it has loaded, though it was clicked before", async ({ page, api }) => {
  await api.createFlow(flow("Early"));
  // Styles of the list of a menu.
  const release = await holdScript(page, "min-w-40 overflow-y-auto");
  await page.goto("/?q=early");
  await item(page, "Early").hover();
  const button = page.getByRole("button", { name: "More for Early", exact: true });
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  await expect(page.getByRole("menu")).toHaveCount(0);
  release();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await expect(page.getByRole("textbox", { name: "Name of the flow" })).toBeFocused();
});

test.describe("on a touch screen", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("Run is below the picture of its flow, and runs it", async ({ page, api }) => {
    await api.createFlow(flow("Touched"));
    await page.goto("/?q=touched");
    const run = page.getByRole("button", { name: "Run Touched", exact: true });
    const [picture, button] = [
      await item(page, "Touched").locator(".flow-thumbnail").boundingBox(),
      await run.boundingBox(),
    ];
    expect(button?.y).toBeGreaterThanOrEqual((picture?.y ?? 0) + (picture?.height ?? 0));
    await run.tap();
    await page.getByRole("textbox", { name: "Input" }).fill("Go");
    await page.getByRole("button", { name: "Start run" }).tap();
    await page.waitForURL(/\/runs\//);
  });
});
