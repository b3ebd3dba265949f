import { expectAccessible } from "../fixtures/expect-accessible";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test("panes are resized by pointer and by keys, and the canvas keeps its minimum width", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("chain", "Wide"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.text).toBeVisible();
  const divider = page.getByRole("separator", { name: "Resize text and canvas" });
  const size = async (): Promise<number> => Number(await divider.getAttribute("aria-valuenow"));
  const start = await size();
  const { x, y } = await editor.boxOf(divider);
  await page.mouse.move(x, y + 200);
  await page.mouse.down();
  await page.mouse.move(x + 60, y + 200, { steps: 4 });
  await page.mouse.up();
  await expect.poll(size).toBe(start + 60);
  await divider.press("ArrowLeft");
  await expect.poll(size).toBe(start + 44);
  await divider.press("End");
  await expect.poll(size).toBeLessThan(1200);
  const canvas = await page.getByLabel("Flow canvas").boundingBox();
  expect(canvas?.width).toBeGreaterThanOrEqual(279);
  await divider.press("Home");
  await expect.poll(size).toBe(220);
});

test("tooltips appear on hover and on focus, and menus work by keyboard", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("chain", "Hinted"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.text).toBeVisible();
  const hint = page.getByRole("tooltip");
  await editor.fit.hover();
  await expect(hint).toHaveText("Fit view (Shift 1)");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(hint).toHaveCount(0);
  await page.getByRole("textbox", { name: "Flow name" }).focus();
  await page.keyboard.press("Tab");
  const menu = page.getByRole("button", { name: "More for this flow" });
  await expect(menu).toBeFocused();
  for (const name of ["Comments", "Versions", "Publish…", "Export…", "Import…"]) {
    await page.keyboard.press("ArrowDown");
    await expect(page.getByRole("menuitem", { name })).toBeFocused();
  }
  await page.keyboard.press("Escape");
  await expect(menu).toBeFocused();
  await page.getByRole("button", { name: "Run", exact: true }).focus();
  await expect(hint).toHaveText("Save and run (Ctrl Enter)");
});
