import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { areApart, EditorPage } from "../pages/editor-page";

const names = Array.from({ length: 80 }, (_, index) => `agent_${index + 1}`);
const long = `name: Long
agents:
${names.map((name) => `  ${name}: { model: "demo:writer" }`).join("\n")}
swarm: { flow: ${names.join(" >> ")} }
`;

test("searching and replacing in a long text is accessible", async ({ page, api }) => {
  const { id } = await api.createFlow(long);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.text.click();
  await expectAccessible(page);
  await page.keyboard.press("ControlOrMeta+f");
  await page.getByRole("textbox", { name: "Find" }).fill("agent_80");
  await page.getByRole("textbox", { name: "Replace" }).fill("last");
  const buttons = page.locator(".cm-search").getByRole("button");
  await expect(buttons).toHaveText(["Next", "Previous", "Select all", "Replace", "Replace all", "×"]);
  for (const button of await buttons.all()) {
    const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(24);
  }
  await expectAccessible(page);
  await page.getByRole("button", { name: "Replace all" }).click();
  await expect.poll(() => api.getSource(id)).toContain(">> agent_79 >> last }");
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await expect(page.getByRole("textbox", { name: "Find" })).toHaveCount(0);
});

test("a model shows its context window and price, also one that only the server knows", async ({ page, api }) => {
  const { id } = await api.createFlow('agents: { a: { model: "openai:gpt-4o-mini" } }\nswarm: { flow: a }\n');
  const editor = new EditorPage(page);
  await editor.open(id);
  const card = page.locator(".cm-name-card");
  // A pointer that stopped before the editor listened has to move again.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await editor.text.getByText('"openai:gpt-4o-mini"').hover();
    await expect(card).toContainText("OpenAI", { timeout: 3000 });
  }).toPass();
  await expect(card).toContainText("128k context");
  await expect(card).toContainText(/\$[\d.]+ in, \$[\d.]+ out per million/);
});

test.describe("on a narrow screen", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("the arrow keys move between panes, which are one tab stop", async ({ page, api }) => {
    const { id } = await api.createFlow(long);
    await new EditorPage(page).open(id);
    const tab = (name: string) => page.getByRole("tab", { name });
    await tab("Canvas").focus();
    for (const [key, name] of [
      ["ArrowRight", "Outline"],
      ["End", "Inspector"],
      ["ArrowRight", "Canvas"],
      ["ArrowLeft", "Inspector"],
      ["ArrowLeft", "Text"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(tab(name)).toBeFocused();
      await expect(tab(name)).toHaveAttribute("aria-selected", "true");
    }
    await expect(page.getByRole("textbox", { name: "Flow text" })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    await expect(tab("Text")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.getByRole("textbox", { name: "Flow text" })).toBeFocused();
  });
});

for (const width of [1440, 390])
  test(`a mistake in the text is named beside the tools of the canvas, ${width} px wide`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 844 });
    const { id } = await api.createFlow("agents: { a: { model: 'demo:writer' } }\nswarm: { flow: a >> ( }\n");
    const editor = new EditorPage(page);
    await editor.open(id);
    const note = page.getByRole("status").getByText(/mistake in the text/);
    const tools = page.getByRole("toolbar", { name: "Canvas tools" });
    if (width > 767) expect(areApart(await editor.boxOf(note), await editor.boxOf(tools))).toBe(true);
    else {
      await expect(note).toBeVisible();
      // There they are shown once something can be done with them.
      await expect(tools).toBeHidden();
    }
  });
