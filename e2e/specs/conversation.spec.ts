import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/trace-test";
import { ConversationPane } from "../pages/conversation-pane";

test("three agents are side by side, many one below the other", async ({ page }) => {
  const pane = new ConversationPane(page);
  await pane.open("n=60");
  await expect(pane.agents.getByRole("listitem")).toHaveText([/researcher$/, /critic$/, /writer$/]);
  const [first, second] = await Promise.all([0, 1].map((at) => pane.cells.nth(at).boundingBox()));
  expect(first && second && second.x - first.x).toBeGreaterThan(first?.width ?? 1e9);
  await pane.open("n=60&groups=1");
  await expect(pane.agents).toBeHidden();
  const boxes = await Promise.all([0, 1].map((at) => pane.cells.nth(at).boundingBox()));
  expect(boxes[0]?.x).toBe(boxes[1]?.x);
  await pane.filter.selectOption("critic");
  await expect(pane.cells.first()).toContainText("critic");
  await expect(pane.cells.filter({ hasText: "researcher" })).toHaveCount(0);
});

test("by keyboard from turn to turn, to the end of fifteen thousand turns and back", async ({ page }) => {
  const pane = new ConversationPane(page);
  await pane.open("n=10000&groups=1");
  await pane.grid.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Step 2 is selected")).toBeVisible();
  await expect(pane.grid.getByRole("row", { selected: true })).toHaveCount(1);
  await page.keyboard.press("End");
  await expect(pane.grid.getByRole("row").last()).toHaveAttribute("id", "turn-14996");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Step 10000 is selected")).toBeVisible();
  await expect(pane.selected.last()).toBeInViewport();
  expect(await pane.cells.count()).toBeLessThan(60);
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Step 1 is selected")).toBeVisible();
  await expect(pane.selected).toBeInViewport();
});

test("scrolling back from the end keeps the position while earlier turns load", async ({ page }) => {
  const pane = new ConversationPane(page);
  await pane.open("n=1000&groups=1");
  await expect(pane.grid).toHaveAttribute("aria-rowcount", "-1");
  await pane.grid.focus();
  await page.keyboard.press("End");
  await expect(pane.turn(1496)).toBeInViewport();
  await pane.scrollTo(0);
  const first = pane.turn(1297);
  await expect(first).toBeInViewport();
  const topOfFirst = async (): Promise<number | undefined> => (await first.boundingBox())?.y;
  const before = await topOfFirst();
  await expect.poll(() => pane.scrolled()).toBeGreaterThan(1000);
  await expect.poll(topOfFirst).toBe(before);
  while ((await pane.grid.getAttribute("aria-rowcount")) === "-1") await pane.scrollTo(0);
  await pane.scrollTo(0);
  await expect(pane.turn(1)).toBeInViewport();
  await expect(pane.grid).toHaveAttribute("aria-rowcount", "1496");
});

test("turns after the playhead are marked as later", async ({ page }) => {
  const pane = new ConversationPane(page);
  await pane.open("n=8");
  await expect(pane.cells.filter({ hasText: "later" }).first()).toBeVisible();
  await expect(pane.cells.first()).not.toContainText("later");
});

for (const width of [1440, 390])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("the conversation is accessible", async ({ page }) => {
      const pane = new ConversationPane(page);
      await pane.open("n=40");
      await pane.cells.first().click();
      await expectAccessible(page);
    });
  });
