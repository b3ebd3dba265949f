import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { KeyboardEditor } from "../pages/keyboard-editor";

const source = `name: Outlined # stays
agents:
${["a", "b", "c", "d"].map((name) => `  ${name}: { model: "demo:${name}" }`).join("\n")}
groups:
  both: { type: parallel, flow: "b | c" }
swarm: { flow: a >> both >> d }
`;

test("the outline shows, selects and edits the same flow as the canvas, by keyboard", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const keyboard = new KeyboardEditor(page);
  await editor.open(id);
  await keyboard.goTo(page.getByRole("button", { name: "Outline", exact: true }));
  await keyboard.press("Enter");
  await keyboard.goTo(keyboard.outline);
  const row = (name: string) => keyboard.outline.getByRole("treeitem", { name });
  await expect(row("Parallel group both, in parallel")).toHaveAttribute("aria-level", "2");
  await keyboard.press("Home", "ArrowDown");
  await expect(row("Agent a")).toHaveAttribute("aria-selected", "true");
  await expect(keyboard.activeCard).toHaveAccessibleName("Agent a");
  await expect(keyboard.announcements).toContainText("Agent a, 1 of 3, in series");

  await keyboard.press("ArrowDown", "ArrowLeft");
  await expect(row("Agent b")).toHaveCount(0);
  await keyboard.press("ArrowRight", "ArrowRight");
  await expect(row("Agent b")).toHaveAttribute("aria-selected", "true");
  await keyboard.press("F2");
  await keyboard.write("ben");
  await keyboard.press("Enter");
  await expect(row("Agent ben")).toHaveAttribute("aria-selected", "true");
  await expect(keyboard.outline).toBeFocused();
  await keyboard.press("Control+z");
  await expect(keyboard.announcements).toContainText("Undid: rename");

  await keyboard.press("d", "Alt+ArrowUp");
  await editor.expectFlow("a >> d >> both");
  await keyboard.press("Alt+ArrowDown", "Alt+ArrowRight");
  await expect(editor.text).toContainText("b | c | d");
  await keyboard.press("Alt+ArrowLeft");
  await editor.expectFlow("a >> both >> d");
  await expect(editor.text).toContainText("# stays");
  await keyboard.press("Shift+F10");
  await expect(page.getByRole("menuitem", { name: /^Add agent after/ })).toBeVisible();
  await keyboard.press("Escape");
  await expect(keyboard.outline).toBeFocused();
  await keyboard.press("Delete");
  await editor.expectFlow("a >> both");
});

test("the canvas keys move along series, lanes and links, and leave them again", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const keyboard = new KeyboardEditor(page);
  await editor.open(id);
  await keyboard.goToCanvas();
  await keyboard.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight");
  await expect(keyboard.activeCard).toHaveAccessibleName("Agent c");
  await keyboard.press("Escape");
  await expect(keyboard.activeCard).toHaveAccessibleName("Parallel group both");
  await keyboard.press("e");
  await expect(keyboard.announcements).toContainText("Link from both to d");
  await keyboard.press("Enter");
  await expect(page.getByRole("option", { name: /^Agent/ }).first()).toHaveAttribute("aria-selected", "true");
  await keyboard.press("Enter");
  await editor.expectFlow("a >> both >> agent >> d");
  await keyboard.goToCanvas();
  await keyboard.press("Escape", "Escape");
  await expect(editor.addAgent).toBeFocused();

  await keyboard.goToCanvas();
  await keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keyboard.goTo(sheet.getByRole("checkbox", { name: "Single letters are shortcuts on the canvas" }));
  await keyboard.press("Space", "Escape");
  await expect(keyboard.canvas).toBeFocused();
  await keyboard.press("?");
  await expect(sheet).toHaveCount(0);
});
