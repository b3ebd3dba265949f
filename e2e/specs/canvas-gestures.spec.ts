import type { Locator } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { InsertAndFind } from "../pages/insert-and-find";
import { KeyboardEditor } from "../pages/keyboard-editor";

const source = `name: Gestures
agents:
  plan: { model: "demo:assistant" }
  ann: { model: "demo:assistant" }
  ben: { model: "demo:assistant" }
  write: { model: "demo:assistant" }
groups:
  review: { type: parallel, flow: ann | ben }
swarm:
  type: workflow
  flow: plan >> review >> write
`;

test("the menu of a card, a link, a group and the canvas", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const menu = page.getByRole("menu");

  await editor.card("write").click({ button: "right" });
  await expect(menu).toHaveAccessibleName("write");
  await expect(editor.card("write")).toHaveAttribute("aria-current", "true");
  await expect(menu.getByRole("menuitem", { name: "Duplicate" })).toContainText("Ctrl");
  await expectAccessible(page);
  await menu.getByRole("menuitem", { name: "Edit" }).click();
  await expect(editor.name).toBeFocused();

  await page.keyboard.press("Escape");
  await page.keyboard.press("Shift+F10");
  await menu.getByRole("menuitem", { name: "Add agent after" }).click();
  await editor.expectFlow("plan >> review >> write >> agent");

  await page.getByRole("button", { name: "Insert between plan and review" }).click({ button: "right" });
  await menu.getByRole("menuitem", { name: "Insert here…" }).click();
  await page.getByRole("option", { name: /^Agent/ }).click();
  await editor.expectFlow("plan >> agent_2 >> review >> write >> agent");

  await page.locator(".react-flow__pane").click({ button: "right", position: { x: 12, y: 60 } });
  await expect(menu).toHaveAccessibleName("Canvas");
  await menu.getByRole("menuitem", { name: "Fold all" }).click();
  await expect(editor.card("ann")).toHaveCount(0);
});

test("a group folds to one card, stays folded, and unfolds for what is searched in it", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const keyboard = new KeyboardEditor(page);
  const tools = new InsertAndFind(page);
  await editor.open(id);
  await page.getByRole("button", { name: "Fold review" }).click();
  const folded = editor.part("Parallel group review, folded, 2 agents");
  await expect(folded).toBeVisible();
  await expect(editor.card("ann")).toHaveCount(0);
  await expectAccessible(page);
  await editor.saved();
  expect(await api.getSource(id)).toBe(source);
  await page.reload();
  await expect(folded).toBeVisible();

  await folded.click();
  await keyboard.press("Space");
  await expect(editor.card("ann")).toBeVisible();
  await keyboard.press("Space");
  await expect(folded).toBeVisible();
  await keyboard.press("f");
  await expect(tools.find).toBeFocused();
  await page.keyboard.type("ben");
  await page.keyboard.press("Enter");
  await expect(editor.card("ben")).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(folded).toBeVisible();
});

test("a drag shows what the drop will do", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const words = page.getByTestId("drop-words");
  const agent = page.getByRole("button", { name: "Insert agent" });
  const insertButton = page.getByRole("button", { name: "Insert between plan and review" });
  const toCenter = async (part: Locator) => {
    const { x, y, width, height } = await editor.boxOf(part);
    return { x: x + width / 2, y: y + height / 2 };
  };
  const write = await toCenter(editor.card("write"));
  await agent.hover();
  await page.mouse.down();
  await page.mouse.move(write.x, write.y, { steps: 8 });
  await page.mouse.move(write.x, write.y + 2);
  await expect(words).toHaveText("Run beside write");
  await expect(page.getByTestId("drop-mark")).toBeVisible();
  const link = await toCenter(insertButton);
  await page.mouse.move(link.x, link.y, { steps: 8 });
  await page.mouse.move(link.x, link.y + 1);
  await expect(words).toHaveText("Insert between plan and review");
  await page.mouse.up();
  await expect(words).toHaveCount(0);
  await editor.expectFlow("plan >> agent >> review >> write");
});

test("an empty flow greets, and a half-typed operator changes no picture", async ({ page, api }) => {
  const editor = new EditorPage(page);
  const empty = await api.createFlow("name: Empty\nagents:\nswarm:\n  type: workflow\n");
  await editor.open(empty.id);
  await expect(page.getByRole("heading", { name: "Add your first agent" })).toBeVisible();
  await expect(page.getByText(/\d+ problem/)).toHaveCount(0);
  await page.getByRole("button", { name: "Start from a template" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");

  const { id } = await api.createFlow(source);
  await editor.open(id);
  await expect(editor.card("write")).toBeVisible();
  await editor.flowBar.click();
  await page.keyboard.press("End");
  await page.keyboard.type(" -");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: "Expected a name" })).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(5);
  expect(await api.getSource(id)).toBe(source);
});

test("a focus ring is for keys: a click shows none, the next key shows it", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const canvas = page.getByLabel("Flow canvas");
  const ring = page.locator("[data-active]");
  await page.locator(".react-flow__pane").click({ position: { x: 12, y: 60 } });
  await expect(canvas).toBeFocused();
  await expect(canvas).toHaveCSS("outline-style", "none");
  await editor.card("plan").click();
  await expect(ring).toHaveCSS("outline-width", "1px");
  await page.keyboard.press("Shift");
  await expect(ring).toHaveCSS("outline-width", "1px");
  await page.keyboard.press("ArrowRight");
  await expect(ring).toHaveCSS("outline-width", "3px");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  await expect(canvas).toBeFocused();
  await expect(canvas.or(ring).first()).toHaveCSS("outline-style", "solid");
});
