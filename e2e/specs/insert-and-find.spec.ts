import { expectAccessible } from "../fixtures/expect-accessible";
import { holdScript } from "../fixtures/hold-script";
import { savePicture } from "../fixtures/picture";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { InsertAndFind } from "../pages/insert-and-find";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const source = `name: Desk
agents:
  scout: { model: "demo:researcher", instructions: Scout the market for the writer. }
  critic: { model: "demo:critic", instructions: Judge what the scout found. }
  writer: { model: "demo:writer", instructions: "Write from \${outputs.scout}." }
swarm:
  type: workflow
  flow: scout >> critic >> writer
`;

test("a loop is put around the selected cards", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.card("critic").click();
  await editor.card("writer").click({ modifiers: ["Shift"] });
  await page.getByRole("toolbar", { name: "Insert" }).getByRole("button", { name: "Insert loop" }).click();
  await expect.poll(() => api.getSource(id)).toContain("body: critic >> writer");
  expect(await api.getSource(id)).toContain("flow: scout >> loop");
});

test("insert, copy and go to cards without the mouse", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const tools = new InsertAndFind(page);
  await editor.open(id);

  await tools.canvas.focus();
  await page.keyboard.press("Control+k");
  await tools.pick(tools.palette, "critic");
  await expect(editor.card("critic")).toHaveAttribute("aria-current", "true");
  await expect(tools.canvas).toBeFocused();

  await page.keyboard.press("/");
  await tools.pick(tools.palette, "insert branch");
  await editor.expectFlow("scout >> critic >> branch >> writer");
  await page.keyboard.press("Control+z");
  await editor.expectFlow("scout >> critic >> writer");

  await editor.card("critic").click();
  await page.keyboard.press("Control+d");
  await editor.expectFlow("scout >> (critic | critic_2) >> writer");
  await page.keyboard.press("Control+x");
  await editor.expectFlow("scout >> critic >> writer");
  await page.keyboard.press("Control+v");
  await editor.expectFlow("scout >> critic >> writer >> critic_2");
  expect(await page.evaluate("navigator.clipboard.readText()")).toContain("# Part of a Swarmloom flow");

  const other = await api.createFlow("name: Other\nagents: {}\nswarm: { flow: '' }\n");
  await editor.open(other.id);
  await tools.canvas.focus();
  await page.keyboard.press("Control+v");
  await editor.expectFlow("critic_2");
  await editor.saved();
});

test("inserts nodes into links by button, by key and from a template", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const tools = new InsertAndFind(page);
  await editor.open(id);

  await page.getByRole("button", { name: "Insert between scout and critic" }).click();
  await expect(tools.insert).toBeVisible();
  await savePicture(page, "insert-menu");
  await tools.pick(tools.insert, "parallel lanes");
  await editor.expectFlow("scout >> (lane | lane_2) >> critic >> writer");

  await editor.card("critic").click();
  await page.keyboard.press("e");
  await page.keyboard.press("Enter");
  await tools.pick(tools.insert, "approval");
  await editor.expectFlow("scout >> (lane | lane_2) >> critic >> approval >> writer");

  await page.keyboard.press("Control+k");
  await tools.pick(tools.palette, "insert template");
  await tools.templates.getByRole("button", { name: "By construct" }).click();
  await tools.templates.getByRole("button", { name: "Insert: Handoff" }).click();
  await editor.expectFlow("scout >> (lane | lane_2) >> critic >> approval >> handoff >> writer");
  await expect(page.getByText("No problems. The flow can run.")).toBeVisible();
});

test("keys typed before the search has loaded go into its field", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const tools = new InsertAndFind(page);
  await editor.openLoaded(id);
  const release = await holdScript(page, "Replace with");

  await tools.canvas.focus();
  await page.keyboard.press("f");
  await page.keyboard.type("scout");
  await expect(tools.find).toHaveValue("scout");
  await page.keyboard.press("Enter");
  await expect(tools.replaceWith).toBeHidden();
  release();
  await expect(tools.replaceWith).toBeVisible();
  await expect(editor.card("scout")).toHaveAttribute("aria-current", "true");
  await expect(tools.find).toBeFocused();
  await page.keyboard.type(" f");
  await expect(tools.find).toHaveValue("scout f");
  await expect(tools.found).toHaveCount(1);
  await editor.expectFlow("scout >> critic >> writer");
});

test("find, replace and rename everywhere as one history entry", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  const tools = new InsertAndFind(page);
  await editor.open(id);
  await tools.canvas.focus();
  await page.keyboard.press("f");
  await expect(tools.find).toBeFocused();
  await page.keyboard.type("scout");
  await expect(tools.found).toHaveCount(4);
  await page.keyboard.press("Enter");
  await expect(editor.card("scout")).toHaveAttribute("aria-current", "true");
  await tools.replaceWith.fill("ranger");
  await tools.search.getByRole("button", { name: "Replace all 4" }).click();
  await editor.expectFlow("ranger >> critic >> writer");
  await expect(editor.text).toContainText("outputs.ranger");
  await expect(editor.text).toContainText("ranger the market");
  await tools.find.press("Escape");
  await expect(tools.canvas).toBeFocused();
  await page.keyboard.press("Control+z");
  await editor.expectFlow("scout >> critic >> writer");
});

for (const width of [1440, 390])
  test(`the palette, the menu and the search are accessible, ${width} px`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 900 });
    const { id } = await api.createFlow(source);
    const editor = new EditorPage(page);
    const tools = new InsertAndFind(page);
    await editor.open(id);
    await tools.canvas.focus();
    await page.keyboard.press("Control+k");
    await expect(tools.palette.getByRole("combobox")).toBeFocused();
    await savePicture(page, `palette-${width}`);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await tools.canvas.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("+");
    await expect(tools.insert.getByRole("combobox")).toBeFocused();
    await savePicture(page, `insert-${width}`);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(tools.insert).toBeHidden();
    await tools.canvas.focus();
    await page.keyboard.press("f");
    await expect(tools.find).toBeFocused();
    await page.keyboard.type("scout");
    await expect(tools.found).toHaveCount(4);
    await savePicture(page, `search-${width}`);
    await expectAccessible(page);
  });

for (const hasTouch of [false, true])
  test.describe(hasTouch ? "by touch" : "by mouse", () => {
    test.use({ viewport: { width: 390, height: 844 }, hasTouch, isMobile: hasTouch });

    test("commands have their keys beside them where there is a keyboard", async ({ page, api }) => {
      const { id } = await api.createFlow(source);
      const editor = new EditorPage(page);
      const tools = new InsertAndFind(page);
      await editor.open(id);
      await page.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: "Commands" }).click();
      await expect(tools.palette.getByRole("option").first()).toBeVisible();
      await expect(tools.palette.locator("kbd").first()).toBeVisible({ visible: !hasTouch });
    });
  });
