import { toFreeArea } from "@/app/_canvas/surface/opening-view";
import { toBenchSource } from "@/app/bench/_bench/bench-source";
import { emptyLayout } from "@/lib/core/flow/edit";
import { arrangeFlow } from "@/lib/core/layout/arrange-flow";
import { chooseArrangement } from "@/lib/core/layout/choose-arrangement";
import { readSource } from "@/lib/core/source/read-source";
import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { RunCanvasPage } from "../pages/run-canvas-page";

test.use({ bench: true });

test("every card shows its status: by colour, icon, word, and to a screen reader", async ({ page }) => {
  const run = new RunCanvasPage(page);
  await run.open("flow=sample");
  for (const [label, word, description] of [
    ["Agent planner", "Succeeded", "Succeeded, simulated"],
    ["Agent analyst", "Failed", "Failed"],
    ["Agent critic", "Running", "Running, ran 2 times"],
    ["Loop refine", "Waiting", "Waiting, ran 3 times"],
    ["Agent writer", "Timed out", "Timed out, ran 12 times"],
    ["Agent editor", "Cancelled", "Cancelled"],
    ["Handoff swarm help", "Queued", "Queued"],
  ] as const) {
    await expect(run.card(label)).toHaveAccessibleDescription(description);
    await expect(run.card(label).getByText(word, { exact: true }).first()).toBeVisible();
  }
  await expect(run.card("Agent writer").getByText("12×")).toBeVisible();
  await expect(run.card("Agent billing")).toHaveAccessibleDescription("");
  await expect(page.getByRole("img", { name: "Handed over 2 times" })).toBeVisible();
  await expect(run.card("Note: The critic may take its time.")).toBeVisible();
});

test("statuses change live", async ({ page }) => {
  const run = new RunCanvasPage(page);
  await run.open("n=6&live=30");
  const first = run.card("Agent a0");
  for (const word of ["Running", "Succeeded", "Failed", "Running"])
    await expect(first).toHaveAccessibleDescription(word);
});

test("a click, a key or the page selects a card; Escape or the empty canvas deselects it", async ({ page }) => {
  const run = new RunCanvasPage(page);
  await run.open("flow=sample");
  await run.card("Agent planner").click();
  await expect(run.selected).toHaveText("planner");
  await expect(run.card("Agent planner")).toHaveAttribute("aria-current", "true");
  await run.card("Loop refine").getByText("refine", { exact: true }).click();
  await expect(run.selected).toHaveText("refine");
  await run.canvas.click({ position: { x: 20, y: 60 } });
  await expect(run.selected).toHaveText("nothing");
  await expect(page.locator("article[aria-current]")).toHaveCount(0);

  await page.reload();
  await run.goToCanvas();
  await page.keyboard.press("Enter");
  await expect(run.selected).toHaveText("planner");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(run.selected).toHaveText("review/analyst");
  await expect(run.activeCard).toHaveAccessibleName("Agent analyst");
  await page.keyboard.press("ArrowDown");
  await expect(run.selected).toHaveText("review/critic");
  // A note is not part of the run: the keys reach it, and the selection stays.
  await page.keyboard.press("End");
  await expect(run.activeCard).toHaveAccessibleName("Note: The critic may take its time.");
  await expect(run.selected).toHaveText("review/critic");
  await page.keyboard.press("Escape");
  await expect(run.selected).toHaveText("nothing");

  for (let step = 0; step < 6; step++) await run.zoomIn.click();
  await expect(run.card("Agent billing")).not.toBeInViewport();
  await run.selectLast.click();
  await expect(run.card("Agent billing")).toBeInViewport({ ratio: 0.99 });
  await expect(run.card("Agent billing")).toHaveAttribute("aria-current", "true");
});

test("the view moves and zooms by wheel, keys, buttons and dragging", async ({ page }) => {
  const run = new RunCanvasPage(page);
  await run.open("flow=sample");
  // A flow that is too wide to be read as a whole opens at its beginning.
  await run.fit.click();
  const whole = await run.settledZoom();
  await run.goToCanvas();
  await page.keyboard.press("+");
  await expect.poll(() => run.zoom()).toBeCloseTo(whole * 1.25, 2);
  await page.keyboard.press("-");
  await expect.poll(() => run.zoom()).toBeCloseTo(whole, 2);
  await page.keyboard.press("0");
  await expect.poll(() => run.zoom()).toBe(1);
  await page.keyboard.press("Shift+Digit1");
  await expect.poll(() => run.zoom()).toBeCloseTo(whole, 2);
  await run.zoomOut.click();
  await expect.poll(() => run.zoom()).toBeCloseTo(whole * 0.8, 2);
  await run.fit.click();
  await expect.poll(() => run.zoom()).toBeCloseTo(whole, 2);

  const planner = run.card("Agent planner");
  const before = await run.boxOf(planner);
  await page.mouse.move(before.x + 400, before.y + 200);
  await page.mouse.wheel(40, 60);
  await expect.poll(async () => (await run.boxOf(planner)).y).toBeLessThan(before.y - 20);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -200);
  await page.keyboard.up("Control");
  await expect.poll(() => run.zoom()).toBeGreaterThan(whole * 1.1);
});

test("is read-only: neither dragging nor keys change it, and no request is sent", async ({ page, context }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const run = new RunCanvasPage(page);
  await run.open("flow=sample");
  const cards = await run.cards.count();
  const links = page.locator(".react-flow__edge");
  const drawn = await links.count();
  const before = await run.distance("Agent planner", "Agent critic");

  // The drag moves the view; the cards keep their positions in it.
  const place = await run.boxOf(run.card("Agent planner"));
  await run.dragCard("Agent planner", { x: 60, y: 90 });
  await expect.poll(async () => (await run.boxOf(run.card("Agent planner"))).y).toBeCloseTo(place.y + 90, -1);
  expect(await run.distance("Agent planner", "Agent critic")).toEqual(before);
  await run.dragCard("Note: The critic may take its time.", { x: 0, y: -50 });
  expect(await run.distance("Agent planner", "Agent critic")).toEqual(before);

  await run.card("Agent critic").click();
  await page.evaluate("navigator.clipboard.writeText('agents: { x: {} }')");
  for (const key of ["Delete", "Backspace", "Insert", "p", "s", "n", "u", "i", "c", "t", "f", "/", "?", "Control+d"])
    await page.keyboard.press(key);
  for (const key of [
    "Control+z",
    "Control+v",
    "Control+x",
    "Control+ArrowRight",
    "Alt+Shift+ArrowDown",
    "Control+Enter",
  ])
    await page.keyboard.press(key);
  await run.card("Agent critic").dblclick();
  await run.card("Note: The critic may take its time.").dblclick();
  expect(await run.distance("Agent planner", "Agent critic")).toEqual(before);
  await expect(run.cards).toHaveCount(cards);
  await expect(links).toHaveCount(drawn);
  for (const role of ["dialog", "menu", "textbox", "combobox", "toolbar"] as const)
    await expect(page.getByRole(role)).toHaveCount(0);
  await expect(page.getByRole("button", { name: /insert|add|delete|undo/i })).toHaveCount(0);
  await expect(run.selected).toHaveText("review/critic");
  expect(sent).toEqual([]);
});

test("3,000 agents are drawn as one picture, in which they can be hovered, selected and found", async ({ page }) => {
  const run = new RunCanvasPage(page);
  await run.open("n=3000&live=300");
  const { overview } = run;
  await expect(overview.cards).toHaveCount(0);
  const { flow } = readSource(toBenchSource({ agents: 3000, groups: false }));
  const canvas = await run.boxOf(run.canvas);
  const { nodes } = arrangeFlow(flow, emptyLayout, chooseArrangement(flow, emptyLayout, toFreeArea(canvas)));
  const [{ x, y, width, height } = { x: 0, y: 0, width: 0, height: 0 }] = nodes.filter(({ key }) => key === "a0");
  const first = { x: x + width / 2, y: y + height / 2 };
  await overview.hover(first);
  await expect(run.canvas.getByText(/^a0(?!\d)/)).toBeVisible();
  await overview.click(first);
  await expect(run.selected).toHaveText("a0");
  await expect.poll(() => overview.activeLabel()).toMatch(/^a0: (Running|Succeeded|Failed)$/);
  await page.keyboard.press("ArrowRight");
  await expect(run.selected).not.toHaveText("a0");
  await overview.drag({ x: 300, y: 300 }, { x: 900, y: 900 });
  await expect(run.selected).not.toHaveText("nothing");
  await page.keyboard.press("Escape");
  await expect(run.selected).toHaveText("nothing");

  await run.fit.click();
  await expect(overview.minimap).toBeHidden();
  await run.settledZoom();
  await overview.doubleClick(first);
  await expect(run.card("Agent a0")).toBeVisible();
  await expect(overview.minimap).toBeVisible();
  await run.selectLast.click();
  await expect(run.card("Agent a2999")).toBeInViewport({ ratio: 1 });
  await expect(run.card("Agent a2999")).toHaveAttribute("aria-current", "true");
});

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is accessible: with statuses, zoomed out, empty, and with a problem", async ({ page }) => {
      const run = new RunCanvasPage(page);
      await run.open("flow=sample");
      await expect(run.card("Agent planner")).toBeVisible();
      await expectAccessible(page);
      await expectTabStops(page, 5);
      await run.open("n=30&live=20");
      // By keys: on a narrow screen, fingers zoom instead of buttons.
      await run.goToCanvas();
      await page.keyboard.press("-");
      await page.keyboard.press("-");
      await run.settledZoom();
      await expectAccessible(page);
      await run.open("n=3000");
      await expectAccessible(page);
      await run.open("flow=empty");
      await expect(page.getByRole("heading", { name: "Nothing was drawn" })).toBeVisible();
      await expectAccessible(page);
      await run.open("flow=broken");
      await expect(page.getByRole("heading", { name: "This flow cannot be drawn" })).toBeVisible();
      await expectAccessible(page);
    });
  });
}
