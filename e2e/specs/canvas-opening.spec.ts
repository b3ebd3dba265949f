import type { Page } from "@playwright/test";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ isTextOpen: false, viewport: { width: 1440, height: 900 } });

const scaleOf = (page: Page): Promise<number> =>
  page.locator(".react-flow__viewport").evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).a);

/** Once the view has stopped moving. */
async function scaleAtRest(page: Page): Promise<number> {
  let last = 0;
  await expect(async () => {
    const before = last;
    last = await scaleOf(page);
    expect(last).toBe(before);
  }).toPass();
  return last;
}

test("the flow is drawn before any script is there, where the canvas shows it then", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("research-report", "Drawn first"));
  await page.route("**/*.js*", (route) => route.abort());
  await page.goto(`/flows/${id}`);
  const picture = page.locator("svg[aria-hidden] text", { hasText: /^planner$/ });
  const drawn = await picture.boundingBox();
  await page.unroute("**/*.js*");
  await new EditorPage(page).open(id);
  const name = await page.locator(".card-name", { hasText: "planner" }).boundingBox();
  await expect(picture).toHaveCount(0);
  expect(drawn?.x).toBeCloseTo(name?.x ?? 0, -1);
  expect(drawn?.y).toBeCloseTo(name?.y ?? 0, -1);
});

const chain = (count: number): string => {
  const names = Array.from({ length: count }, (_, index) => `s${index}`);
  const agents = names.map((name) => `  ${name}: { model: "demo:writer" }`).join("\n");
  return `name: Chain\nagents:\n${agents}\nswarm: { flow: ${names.join(" >> ")} }\n`;
};

test("a flow opens at 85 % or more with the text pane folded, which users can open for good", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Opened"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.card("writer")).toBeInViewport({ ratio: 0.99 });
  await expect(editor.card("planner")).toContainText("You plan a short article");
  expect(await scaleOf(page)).toBeGreaterThanOrEqual(0.85);
  const canvas = await page.getByLabel("Flow canvas").boundingBox();
  expect(((canvas?.width ?? 0) * (canvas?.height ?? 0)) / (1440 * 900)).toBeGreaterThanOrEqual(0.6);

  const rail = page.getByRole("toolbar", { name: "Panes" });
  await expect(rail).toContainText("lines");
  await expect(editor.text).toHaveCount(0);
  await rail.getByRole("button", { name: "Text pane" }).click();
  await expect(editor.text).toBeVisible();
  await expect.poll(() => scaleOf(page)).toBeGreaterThanOrEqual(0.85);
  await page.reload();
  await expect(editor.text).toBeVisible();
});

for (const count of [1, 6, 12])
  test(`a chain of ${count} is seen whole, readable and in the middle`, async ({ page, api }) => {
    const { id } = await api.createFlow(chain(count));
    const editor = new EditorPage(page);
    await editor.open(id);
    for (let index = 0; index < count; index++) await expect(editor.card(`s${index}`)).toBeInViewport({ ratio: 0.99 });
    expect(await scaleOf(page)).toBeGreaterThanOrEqual(0.85);
    const boxes = await page
      .getByRole("article")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
    const [left, right] = [Math.min(...boxes.map(({ left }) => left)), Math.max(...boxes.map(({ right }) => right))];
    const canvas = await page.getByLabel("Flow canvas").boundingBox();
    expect(Math.abs((left + right) / 2 - ((canvas?.x ?? 0) + (canvas?.width ?? 0) / 2))).toBeLessThan(3);
  });

test("the view follows the size of the canvas until a user moves it; names stay at 11 px", async ({ page, api }) => {
  const { id } = await api.createFlow(chain(6));
  const editor = new EditorPage(page);
  await editor.open(id);
  await page.setViewportSize({ width: 1100, height: 640 });
  for (const name of ["s0", "s5"]) await expect(editor.card(name)).toBeInViewport({ ratio: 0.99 });
  await expect.poll(() => scaleOf(page)).toBeGreaterThanOrEqual(0.85);

  const name = editor.card("s0").getByText("s0", { exact: true });
  await expect(async () => {
    await page.getByRole("button", { name: "Zoom out" }).click();
    expect(await scaleOf(page)).toBeLessThan(0.55);
  }).toPass();
  const before = await scaleAtRest(page);
  const size = await name.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(size * before).toBeGreaterThanOrEqual(10.9);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await expect(page.getByRole("tree", { name: "Outline of the flow" })).toBeVisible();
  expect(await scaleOf(page)).toBe(before);
  await editor.fit.click();
  await expect.poll(() => scaleOf(page)).toBeGreaterThanOrEqual(0.85);
});

test("a long flow is seen whole while the run panel is open, and is readable again once it is closed", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(chain(14));
  await api.waitForRun(await api.startRun(id, "Looms"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.card("s0")).toBeInViewport({ ratio: 0.99 });
  for (const isOpen of [true, false]) {
    await editor.runSummary.click();
    await expect(editor.runPanel).toBeVisible({ visible: isOpen });
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await expect(editor.card("s0")).toBeInViewport({ ratio: 0.99 });
    await expect(editor.card("s13")).toBeInViewport({ ratio: 0.99 });
    await expect.poll(() => scaleOf(page)).toBeGreaterThanOrEqual(isOpen ? 0.6 : 0.85);
  }
});

test("while the run panel takes room, a flow is seen whole at a lower scale, with names of 11 px", async ({
  page,
  api,
}) => {
  await page.setViewportSize({ width: 1280, height: 720 });
  const { id } = await api.createFlow(readTemplate("research-report", "Seen whole"));
  const run = await api.startRun(id, "Looms");
  await api.waitForRun(run);
  const editor = new EditorPage(page);
  await page.goto(`/flows/${id}?run=${run}`);
  await expect(editor.runPanel).toBeVisible();
  for (const name of ["planner", "facts", "costs", "dates", "critic", "writer"])
    await expect(editor.card(name)).toBeInViewport({ ratio: 0.99 });
  const scale = await scaleAtRest(page);
  expect(scale).toBeGreaterThanOrEqual(0.6);
  expect(scale).toBeLessThan(0.85);
  const size = await editor
    .card("planner")
    .locator(".card-name")
    .evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(size * scale).toBeGreaterThanOrEqual(10.9);
  await page.getByRole("button", { name: "Close the run panel" }).click();
  await expect.poll(() => scaleOf(page)).toBeGreaterThanOrEqual(0.85);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("a condition is legible, and the name of its branch clear of the diamond", async ({ page, api }) => {
    const { id } = await api.createFlow(readTemplate("route-by-topic", "Legible"));
    await new EditorPage(page).open(id);
    const scale = await scaleAtRest(page);
    expect(scale).toBeLessThan(0.85);
    const condition = page.locator(".diamond-condition");
    const size = await condition.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(size * scale).toBeGreaterThanOrEqual(9);
    const [name, diamond] = [
      await page.locator(".diamond-name").boundingBox(),
      await page.locator(".frame-diamond").boundingBox(),
    ];
    if (!name || !diamond) throw new Error("The branch is not drawn.");
    // The upper right edge of the diamond falls from its upper point to its right one.
    const across = (name.x - diamond.x) / diamond.width - 0.5;
    expect(name.y + name.height).toBeLessThan(diamond.y + across * diamond.height);
  });

  test("a long name on a small card breaks after an underscore, not inside of a word", async ({ page, api }) => {
    const names = ["bibliographer", "customer_support", "translator", "researcher"];
    const agents = names.map((name) => `  ${name}: { model: "demo:writer" }`).join("\n");
    const { id } = await api.createFlow(
      `name: Names\nagents:\n${agents}\nswarm: { flow: (${names.slice(0, 3).join(" | ")}) >> researcher }\n`,
    );
    const run = await api.startRun(id, "go");
    await api.waitForRun(run);
    const editor = new EditorPage(page);
    await page.goto(`/flows/${id}?run=${run}`);
    const name = (agent: string) => editor.card(agent).locator(".card-name");
    const linesOf = (agent: string): Promise<number> =>
      name(agent).evaluate((element) => {
        const words = document.createRange();
        words.selectNodeContents(element);
        return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
    await expect(name("customer_support")).toHaveText("customer_support");
    await expect.poll(() => scaleOf(page)).toBeLessThan(0.6);
    expect(await Promise.all(["bibliographer", "customer_support"].map(linesOf))).toEqual([1, 2]);
  });
});
