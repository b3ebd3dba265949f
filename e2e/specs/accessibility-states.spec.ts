import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { holdModel } from "../fixtures/held-model";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { KeyboardEditor } from "../pages/keyboard-editor";

const names = Array.from({ length: 20 }, (_, index) => `agent_${index + 1}`);
const describeTwenty = (firstModel: string): string => `name: Twenty
agents:
${names.map((name, index) => `  ${name}: { model: "${index === 0 ? firstModel : "demo:writer"}" }`).join("\n")}
swarm: { flow: ${names.slice(0, 5).join(" >> ")} >> (${names.slice(5, 15).join(" | ")}) >> ${names.slice(15).join(" >> ")} }
`;
const failing = `name: Fails
agents: { a: { model: "demo:a" } }
limits: { max_tokens: 1 }
swarm: { flow: a }
`;

test("every state of the editor is accessible, and so is every tab stop", async ({ page, api, wire }) => {
  test.setTimeout(240_000);
  const held = holdModel(wire);
  const editor = new EditorPage(page);
  await editor.openNew();
  await expect(page.getByRole("heading", { name: "Add your first agent" })).toBeVisible();
  await expectAccessible(page);
  await expectTabStops(page, 10);

  const { id } = await api.createFlow(describeTwenty(held.model));
  await editor.open(id);
  await expectAccessible(page);
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await expect(new KeyboardEditor(page).outline).toBeVisible();
  await editor.card("agent_1").click();
  await expect(editor.name).toHaveValue("agent_1");
  await expectAccessible(page);
  await expectTabStops(page, 20);

  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("dialog", { name: "Commands" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await editor.card("agent_1").click();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await editor.runOn("Looms");
  await expect(editor.runStatus("Running")).toBeVisible();
  // The hint of the button covers figures of the inspector.
  await page.mouse.move(0, 0);
  await expectAccessible(page);
  await editor.stop.click();
  await expect(editor.runStatus("Cancelled")).toBeVisible();
  await page.mouse.move(0, 0);
  await expectAccessible(page);
  await expectTabStops(page, 15);
  held.release();
});

test("a run that failed", async ({ page, api }) => {
  const { id } = await api.createFlow(failing);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("Looms");
  await expect(editor.runStatus("Failed")).toBeVisible({ timeout: 60_000 });
  await expectAccessible(page);
});

for (const [title, viewport] of [
  ["at 200 %", { width: 720, height: 450 }],
  ["at 400 px", { width: 400, height: 800 }],
] as const)
  test.describe(title, () => {
    test.use({ viewport, hasTouch: true });

    test("reads, inspects, runs and cancels in the narrow editor", async ({ page, api, wire }) => {
      const held = holdModel(wire);
      const { id } = await api.createFlow(describeTwenty(held.model));
      const editor = new EditorPage(page);
      await editor.open(id);
      await editor.card("agent_1").tap();
      const sheet = page.getByRole("dialog", { name: "Selected on the canvas" });
      await expect(sheet.getByRole("textbox", { name: "Name", exact: true })).toHaveValue("agent_1");
      await expectAccessible(page);
      await sheet.getByRole("button", { name: "Close" }).tap();
      await expect(sheet).toHaveCount(0);
      await page.getByRole("tab", { name: "Outline" }).tap();
      await expect(page.getByRole("treeitem", { name: /^Agent agent_1(,|$)/ })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("tab", { name: "Canvas" }).tap();
      await editor.runOn("Looms");
      await editor.stop.tap();
      await expect(editor.runStatus("Cancelled")).toBeVisible();
      await expectAccessible(page);
      held.release();
    });
  });
