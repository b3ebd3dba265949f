import { expectAccessible } from "../fixtures/expect-accessible";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { ExportDialog } from "../pages/export-dialog";
import { ImportDialog } from "../pages/import-dialog";

test.use({ demoSpeed: 8 });

const python = `"""Support desk"""
import os
from orbiter import Agent, ParallelGroup, Swarm

reader = Agent(name="reader", model="demo:summariser", instructions="Say what is asked.")
facts = Agent(name="facts", model="demo:assistant")
tone = Agent(name="tone", model="demo:critic")
both = ParallelGroup(name="both", agents=[facts, tone])
swarm = Swarm(agents=[reader, both], flow="reader >> both")
os.system("touch /tmp/never")
`;

test("a flow is exported in every format: previewed, and downloaded as a file", async ({ page, api }) => {
  const source = readTemplate("nested", "Takes off");
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const dialog = new ExportDialog(page);
  await dialog.open();
  const texts: [format: string, file: string, text: RegExp][] = [
    ["Flow file (YAML)", "Takes-off.yaml", /^# Nested: a named group/],
    ["Flow line", "Takes-off.flow", /^planner >> research >> desk\n# parallel research: researcher \| analyst/],
    ["Mermaid", "Takes-off.mmd", /^flowchart LR\n/],
    ["JSON", "Takes-off.json", /"flow": "planner >> research >> desk"/],
    ["Orbiter Python", "Takes-off.py", /research = ParallelGroup\(name="research", agents=\[researcher, analyst\]\)/],
    ["Orbiter flow line", "Takes-off.txt", /^planner >> research >> desk\n$/],
    ["TypeScript", "Takes-off.ts", /export const \{ flow, problems \} = readSource\(source\);/],
  ];
  for (const [format, file, text] of texts) {
    await dialog.choose(format);
    await expect(dialog.text).toHaveValue(text);
    const saved = await dialog.save();
    expect(saved.name).toBe(file);
    expect(saved.bytes.toString("utf8")).toMatch(text);
  }
  await dialog.choose("Orbiter Python");
  await expect(dialog.notes).toContainText("Orbiter has no simulated models");
  await dialog.choose("Picture (SVG)");
  await expect(dialog.picture).toBeVisible();
  const svg = await dialog.save();
  expect([svg.name, svg.bytes.toString("utf8").includes(">planner</text>")]).toEqual(["Takes-off.svg", true]);
  expect(svg.bytes.length).toBeLessThan(200_000);
  await dialog.choose("Picture (PNG)");
  const png = await dialog.save();
  expect([png.name, png.bytes.subarray(1, 4).toString("latin1")]).toEqual(["Takes-off.png", "PNG"]);
  // Twice the size of the preview: width and height are in the file's first chunk.
  const [, width = "0"] = /width="(\d+)"/.exec(svg.bytes.toString("utf8")) ?? [];
  expect(png.bytes.readUInt32BE(16)).toBe(2 * Number(width));
  await page.goto("about:blank");
  await page.setContent(svg.bytes.toString("utf8"));
  // Of a picture alone: the fonts in it are those of the app.
  const fonts = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts].map(({ family, status }) => [family.replaceAll('"', ""), status]);
  });
  expect(fonts).toEqual([
    ["Inter Variable", "loaded"],
    ["JetBrains Mono Variable", "loaded"],
  ]);
});

test("Python for Orbiter becomes a flow that runs; unsupported code is kept and never executed", async ({ page }) => {
  const dialog = new ImportDialog(page);
  await dialog.openFromList();
  await dialog.choose("desk.py", python);
  await expect(dialog.recognised).toHaveText("Orbiter Python: 3 agents, 1 group");
  await expect(dialog.picture).toBeVisible();
  await expect(dialog.kept).toHaveText("2 elements are kept as text and never run");
  await dialog.create.click();
  await page.waitForURL(/\/flows\//);
  const editor = new EditorPage(page);
  await editor.expectFlow("reader >> both");
  await editor.runOn("Where is my parcel?");
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(editor.card("tone").getByText("Succeeded")).toBeVisible();
});

test("the losses of an import are shown before it is applied", async ({ page }) => {
  const dialog = new ImportDialog(page);
  await dialog.openFromList();
  const tool = `@tool\nasync def look_up(order: str) -> str:\n    return "sent"\n`;
  await dialog.choose("desk.py", `${tool}agent = Agent(name="desk", tools=[look_up], hooks=[watch])\n`);
  await expect(dialog.recognised).toHaveText("Orbiter Python: 1 agent");
  await expect(dialog.losses).toContainText("does not mean the same as the text: 2 elements cannot be imported");
  await expect(dialog.lost).toContainText("function look_up");
  await expect(dialog.lost).toContainText('argument hooks of "desk"');
  await expect(dialog.create).toBeEnabled();
});

test("an import is inserted into a flow, or replaces it, each as one history entry", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("chain", "Stays"));
  const editor = new EditorPage(page);
  await editor.open(id);
  const before = await editor.flowLine();
  const dialog = new ImportDialog(page);
  await dialog.openFromEditor();
  await dialog.text.fill("fresh >> cut");
  await dialog.insert.click();
  await expect(editor.card("fresh")).toBeVisible();
  await editor.undo.click();
  await expect(editor.card("fresh")).toHaveCount(0);
  await editor.expectFlow(before);
  await dialog.openFromEditor();
  await dialog.text.fill("a >> (b | c)");
  await expect(dialog.recognised).toHaveText("Flow line: 3 agents");
  await dialog.replace.click();
  await editor.expectFlow("a >> (b | c)");
  await expect(editor.card("b")).toBeVisible();
  await editor.undo.click();
  await editor.expectFlow(before);
});

test("malicious text is refused with what was expected", async ({ page }) => {
  const dialog = new ImportDialog(page);
  await dialog.openFromList();
  await dialog.choose("deep.json", `{"agents":${"[".repeat(100_000)}`);
  await expect(dialog.recognised).toHaveText("No flow can be read from this text");
  await expect(dialog.problems).toContainText("Brackets nest more than 200 deep");
  await expect(dialog.create).toBeDisabled();
  await dialog.choose("pixels.py", `PNG${"\0".repeat(50)}`);
  await expect(dialog.problems).toContainText("This is no text");
  await dialog.text.fill("Dear all, nothing of this is a flow.");
  await expect(dialog.problems).toContainText("No known format was recognised");
  await expect(dialog.create).toBeDisabled();
});

for (const width of [1440, 390])
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("both dialogs are accessible", async ({ page, api }) => {
      const { id } = await api.createFlow(readTemplate("handoff", "Read by all"));
      await new EditorPage(page).open(id);
      const exporting = new ExportDialog(page);
      await exporting.open();
      await expect(exporting.text).toHaveValue(/Read by all/);
      await expectAccessible(page);
      await exporting.choose("Picture (SVG)");
      await expect(exporting.picture).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await expect(exporting.dialog).toHaveCount(0);
      const importing = new ImportDialog(page);
      await importing.openFromEditor();
      await importing.text.fill(python);
      await expect(importing.picture).toBeVisible();
      await importing.kept.click();
      await expectAccessible(page);
    });
  });

test.describe("390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("an import is confirmed without scrolling, and formats are in even columns", async ({ page, api }) => {
    const importing = new ImportDialog(page);
    await importing.openFromList();
    await importing.text.fill("planner >> (researcher | analyst) >> writer");
    await expect(importing.picture).toBeVisible();
    await expect(importing.create).toBeInViewport({ ratio: 1 });
    await importing.text.fill('agent = Agent(name="desk", hooks=[watch])');
    await expect(importing.losses).toBeInViewport({ ratio: 1 });
    const { id } = await api.createFlow(readTemplate("chain", "Taken along"));
    await new EditorPage(page).open(id);
    const exporting = new ExportDialog(page);
    await exporting.open();
    const widths = await exporting.formats.evaluateAll((labels) => labels.map((label) => label.clientWidth));
    expect([widths.length, new Set(widths).size]).toEqual([9, 1]);
  });
});
