import type { Page } from "@playwright/test";
import { holdScript } from "../fixtures/hold-script";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ isTextOpen: false });

test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

/** Only what changes flows contains these words. */
const wordsOfEditing = "# Part of a Swarmloom flow";

/** Holds back the script that changes flows; the returned function lets it through. */
const holdEditing = (page: Page): Promise<() => void> => holdScript(page, wordsOfEditing);

test("what a user does before flows can be changed happens afterwards, in its order", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Early"));
  const letThrough = await holdEditing(page);
  await page.goto(`/flows/${id}`);
  const editor = new EditorPage(page);
  const text = await api.getSource(id);
  await editor.card("critic").click();
  await page.keyboard.press("Delete");
  await editor.addAgent.click();
  await editor.input.fill("Looms");
  await expect(editor.saveState).toHaveText("Loading the editor…");
  await expect(editor.card("critic")).toBeVisible();
  await expect(editor.input).toHaveValue("Looms");
  expect(await api.getSource(id)).toBe(text);

  letThrough();
  await expect(editor.card("critic")).toHaveCount(0);
  await expect(editor.card("agent")).toBeVisible();
  await expect(editor.saveState).toHaveText(/Saved/);
  const saved = await api.getSource(id);
  expect(saved).not.toContain("\n  critic:");
  expect(saved).toContain("\n  agent:");
  await editor.undo.click();
  await editor.undo.click();
  await expect.poll(() => api.getSource(id)).toBe(text);
});

test("a card that is dragged before flows can be changed is dropped where the pointer was released", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Dragged early"));
  const letThrough = await holdEditing(page);
  await page.goto(`/flows/${id}`);
  const card = new EditorPage(page).card("writer");
  await expect(card).toBeInViewport();
  const before = await card.boundingBox();
  const [x, y] = [(before?.x ?? 0) + 30, (before?.y ?? 0) + 12];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 20, y + 60, { steps: 4 });
  await page.mouse.move(x + 20, y + 120, { steps: 4 });
  await page.mouse.up();
  letThrough();
  await expect.poll(async () => (await card.boundingBox())?.y ?? 0).toBeGreaterThan((before?.y ?? 0) + 80);
});

test("what is typed into the name of a flow early is written there afterwards", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Early"));
  const letThrough = await holdEditing(page);
  await page.goto(`/flows/${id}`);
  const name = page.getByRole("textbox", { name: "Flow name" });
  // Cards are drawn by the page's scripts: what is typed before these run goes nowhere.
  await expect(new EditorPage(page).card("writer")).toBeVisible();
  await name.press("End");
  await page.keyboard.type(" birds");
  await expect(name).toHaveValue("Early");
  letThrough();
  await expect(name).toHaveValue("Early birds");
  await page.keyboard.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain("name: Early birds\n");
});

test("what is typed while earlier keys are done again stays in its order", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Early"));
  const letThrough = await holdEditing(page);
  await page.goto(`/flows/${id}`);
  const name = page.getByRole("textbox", { name: "Flow name" });
  // Cards are drawn by the page's scripts: what is typed before these run goes nowhere.
  await expect(new EditorPage(page).card("writer")).toBeVisible();
  const [early, late] = [" birds of the coast", " and of the mountains beyond the river"];
  await name.press("End");
  await page.keyboard.type(early);
  letThrough();
  await page.keyboard.type(late, { delay: 15 });
  await expect(name).toHaveValue(`Early${early}${late}`);
});

test("cards that are picked early with Shift are selected together", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Picked early"));
  const letThrough = await holdEditing(page);
  await page.goto(`/flows/${id}`);
  const editor = new EditorPage(page);
  await editor.card("critic").click();
  await editor.card("writer").click({ modifiers: ["Shift"] });
  letThrough();
  await expect(page.locator(".react-flow__node.selected")).toHaveCount(2);
});

test("leaving works before flows can be changed", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Left early"));
  await holdEditing(page);
  await page.goto(`/flows/${id}`);
  await expect(new EditorPage(page).card("writer")).toBeVisible();
  await page.getByRole("link", { name: "Flows" }).click();
  await expect(page).toHaveURL(/\/$/);
});
