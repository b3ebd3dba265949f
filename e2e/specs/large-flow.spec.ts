import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { toBenchSource } from "@/app/bench/_bench/bench-source";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { OverviewPage } from "../pages/overview-page";

const lanes = Array.from({ length: 15 }, (_, lane) => Array.from({ length: 20 }, (_, step) => `a${lane}_${step}`));
const source = `name: Large
agents:
${lanes
  .flat()
  .map((name) => `  ${name}: { model: "demo:writer" }`)
  .join("\n")}
swarm:
  flow: (${lanes.map((lane) => lane.join(" >> ")).join(" | ")})
`;
/** The middle of a card, in canvas pixels. */
const cardAt = (lane: number, step: number) => ({ x: lane * 236 + 104, y: step * 164 + 46 });

async function openLarge(page: Page, create: (source: string) => Promise<{ id: string }>) {
  const { id } = await create(source);
  const [editor, overview] = [new EditorPage(page), new OverviewPage(page)];
  await editor.open(id);
  await expect(page.getByText("300 agents").first()).toBeVisible();
  await expect(overview.cards).toHaveCount(0);
  return { editor, overview };
}

test("300 agents are drawn as one picture, in which they can be hovered, selected and moved", async ({ page, api }) => {
  const { editor, overview } = await openLarge(page, (text) => api.createFlow(text));
  await overview.hover(cardAt(2, 3));
  await expect(overview.canvas.getByText("a2_3", { exact: true })).toBeVisible();
  await overview.click(cardAt(2, 3));
  await expect(editor.name).toHaveValue("a2_3");
  // Hundreds of options are rendered only when the list opens.
  await page.getByText("Links and position").click();
  const connect = page.getByRole("combobox", { name: "Connect to…" });
  await expect(connect.locator("option")).toHaveCount(1);
  await connect.focus();
  await expect(connect.locator("option")).toHaveCount(299);
  await connect.blur();
  await expect(connect.locator("option")).toHaveCount(1);

  await page.keyboard.down("Shift");
  await overview.click(cardAt(2, 4));
  await page.keyboard.up("Shift");
  await expect(page.getByRole("heading", { name: "2 nodes selected" })).toBeVisible();
  await overview.drag({ x: -40, y: -40 }, { x: 2 * 236 - 14, y: 3 * 164 - 36 });
  await expect(page.getByRole("heading", { name: "6 nodes selected" })).toBeVisible();
  await page.keyboard.press("ControlOrMeta+a");
  await expect(page.getByRole("heading", { name: "300 nodes selected" })).toBeVisible();

  await overview.click(cardAt(14, 19));
  await overview.drag(cardAt(14, 19), { x: cardAt(14, 19).x, y: cardAt(14, 19).y + 150 });
  await expect(editor.undo).toBeEnabled();
  await overview.hover({ x: cardAt(14, 19).x, y: cardAt(14, 19).y + 150 });
  await expect(overview.canvas.getByText("a14_19", { exact: true })).toBeVisible();
  await editor.undo.click();
  await expect(editor.undo).toBeDisabled();
});

test("a large flow: keys announce the node, a double click zooms in, the minimap moves the view", async ({
  page,
  api,
}) => {
  const { editor, overview } = await openLarge(page, (text) => api.createFlow(text));
  await overview.click(cardAt(0, 0));
  await page.keyboard.press("ArrowDown");
  await expect(editor.name).toHaveValue("a0_1");
  await expect.poll(() => overview.activeLabel()).toBe("a0_1");
  const { violations } = await new AxeBuilder({ page }).include("#flow-canvas").analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  await expect(overview.minimap).toBeHidden();

  await overview.doubleClick(cardAt(0, 0));
  await expect(editor.card("a0_0")).toBeVisible();
  await expect(overview.minimap).toBeVisible();
  await overview.minimap.click({ position: { x: 172, y: 75 } });
  await expect(editor.card("a14_9")).toBeVisible();
  await expect(editor.card("a0_0")).toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(editor.card("a0_0")).toBeVisible();
  await editor.fit.click();
  await expect(overview.cards).toHaveCount(0);
  await expect(overview.minimap).toBeHidden();
});

test("a flow of 10,000 agents is read by the browser, changed and saved", async ({ page, api }) => {
  const { id } = await api.createFlow(toBenchSource({ agents: 10_000, groups: false }));
  await page.goto(`/flows/${id}`);
  await expect(page.getByText("10,000 agents")).toBeVisible();
  const name = page.getByRole("textbox", { name: "Flow name" });
  await name.fill("Ten thousand");
  await name.press("Enter");
  await expect.poll(() => api.getSource(id)).toMatch(/^name: Ten thousand\n/);
  await page.reload();
  await expect(name).toHaveValue("Ten thousand");
});

test("a flow whose groups contain each other opens, and holds no one up", async ({ page, api }) => {
  const groups = Array.from(
    { length: 100 },
    (_, i) => `  g${i}: { type: serial, flow: g${(i + 1) % 100} >> g${(7 * i) % 100} }`,
  ).join("\n");
  const { id } = await api.createFlow(`name: Circles\ngroups:\n${groups}\nswarm: { flow: g0 }\n`);
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(page.getByRole("textbox", { name: "Flow name" })).toBeEditable();
  await expect(page.getByText(/contains itself/).first()).toBeVisible();
});
