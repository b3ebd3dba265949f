import { countEvents, keyEvents, pointerEvents } from "../fixtures/count-events";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { KeyboardEditor } from "../pages/keyboard-editor";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 8 });

const line = "a >> (b | c) >> d";
const task = "Say what matters in one sentence";
const instructions = `${task}.`;

/** The expected result of all three ways, byte for byte: each begins with the empty flow that the list creates. */
const source = `name: Untitled flow
agents:
  a:
    model: demo:assistant
    instructions: ${instructions}
  b:
    model: demo:assistant
  c:
    model: demo:assistant
  d:
    model: demo:assistant
swarm:
  type: workflow
  flow: ${line}
`;

test("builds, configures, runs and reads a flow by keyboard alone", async ({ page, api }) => {
  test.setTimeout(180_000);
  const pointers = await countEvents(page, pointerEvents);
  const keyboard = new KeyboardEditor(page);
  const editor = new EditorPage(page);
  const id = await keyboard.openNew();
  await keyboard.goToCanvas();
  await keyboard.press("Control+ArrowDown");
  await keyboard.rename("a");
  await keyboard.goTo(page.getByRole("combobox", { name: "Model", exact: true }));
  await keyboard.write("demo:assistant");
  await keyboard.press("Enter");
  await keyboard.goTo(page.getByRole("textbox", { name: "Instructions" }));
  await keyboard.write(instructions);
  await keyboard.backToCanvas();
  await keyboard.press("Control+ArrowRight");
  await keyboard.rename("b");
  await keyboard.backToCanvas();
  await keyboard.press("Control+ArrowDown");
  await keyboard.rename("c");
  await keyboard.backToCanvas();
  await keyboard.press("Control+ArrowRight");
  await keyboard.rename("d");
  await keyboard.backToCanvas();
  await editor.expectFlow("a >> (b | c >> d)");
  await keyboard.press("ArrowUp");
  await expect(keyboard.activeCard).toHaveAccessibleName("Agent b");
  await keyboard.press("c", "ArrowDown", "ArrowRight", "Enter");
  await editor.expectFlow(line);
  await editor.saved();
  expect(await api.getSource(id)).toBe(source);

  await keyboard.goTo(editor.input);
  await keyboard.write("Looms");
  await keyboard.press("Enter");
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
  await keyboard.goTo(editor.runPanel.getByRole("link", { name: "Show in timeline" }));
  await keyboard.press("Enter");
  await page.waitForURL(/\/runs\//);
  const run = new RunPage(page);
  await keyboard.goTo(run.steps);
  await keyboard.press("Home", "ArrowDown", "Enter");
  await expect(run.detail).toContainText(task);
  expect(await pointers()).toBe(0);
});

test("builds, configures, runs and reads a flow by mouse, without a key", async ({ page, api }) => {
  test.setTimeout(180_000);
  const keys = await countEvents(page, keyEvents);
  const editor = new EditorPage(page);
  await editor.openNew();
  const id = page.url().split("/").at(-1) ?? "";
  await page.getByRole("button", { name: "Add an agent" }).click();
  // Names and instructions are words that a person makes up: they come as dictation or an on-screen keyboard gives
  // them, as inserted text without a key, and are kept when the field is left.
  await editor.dictateName("a");
  await editor.pickModel("demo:assistant");
  await editor.dictate(page.getByRole("textbox", { name: "Instructions" }), instructions);
  await editor.drawFrom("a", { right: 160, down: 0 });
  await editor.dictateName("b");
  await editor.drawFrom("a", { right: 60, down: 180 });
  await editor.dictateName("c");
  await editor.drawFrom("b", { right: 100, down: 10 });
  await editor.dictateName("d");
  await editor.drawFrom("c", { agent: "d" });
  await editor.expectFlow(line);
  await editor.saved();
  expect(await api.getSource(id)).toBe(source);

  await editor.input.click();
  await page.keyboard.insertText("Looms");
  await editor.run.click();
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
  await editor.openTimeline();
  const run = new RunPage(page);
  await run.row("Agent a").click();
  await expect(run.detail).toContainText(task);
  expect(await keys()).toBe(0);
});

test("builds, configures, runs and reads a flow by typing its text", async ({ page, api }) => {
  test.setTimeout(180_000);
  const editor = new EditorPage(page);
  await editor.openNew();
  const id = page.url().split("/").at(-1) ?? "";
  await editor.typeText(source);
  await expect(page.getByRole("article")).toHaveCount(4);
  await editor.expectFlow(line);
  await editor.saved();
  expect(await api.getSource(id)).toBe(source);
  await editor.input.fill("Looms");
  await editor.text.click();
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
  await editor.openTimeline();
  const run = new RunPage(page);
  await run.row("Agent a").click();
  await expect(run.detail).toContainText(task);
});

test("the keys go on at the first agent of an empty flow", async ({ page }) => {
  const editor = new EditorPage(page);
  await editor.openNew();
  await page.getByRole("button", { name: "Add an agent" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#flow-canvas")).toBeFocused();
  await page.keyboard.press("Control+ArrowRight");
  await editor.expectFlow("agent >> agent_2");
});
