import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { NotesOnCanvas } from "../pages/notes-on-canvas";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const source = `name: Desk
agents:
  scout: { model: "demo:researcher" }
  writer: { model: "demo:writer" }
swarm:
  type: workflow
  flow: scout >> writer
`;

test("a note by keyboard alone: edited, moved, resized, undone after a reload, copied and deleted", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(source);
  const notes = new NotesOnCanvas(page);
  await notes.editor.open(id);
  await notes.write("Ask Ann <b>first</b>");
  await expect(notes.note("Ask Ann <b>first</b>")).toHaveText("Ask Ann <b>first</b>");
  const before = await notes.editor.boxOf(notes.all);
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await page.keyboard.press("Control+Shift+ArrowRight");
  await expect.poll(async () => (await notes.editor.boxOf(notes.all)).y).toBeGreaterThan(before.y + 5);
  const after = await notes.editor.boxOf(notes.all);
  expect(after.width).toBeGreaterThan(before.width + 5);
  expect(after.height).toBeCloseTo(before.height, 0);
  await notes.editor.saved();
  await expect.poll(() => api.getSource(id)).toBe(source);

  await notes.editor.keptLocally(id);
  await page.reload();
  await expect(notes.all).toHaveText("Ask Ann <b>first</b>");
  expect((await notes.editor.boxOf(notes.all)).width).toBeCloseTo(after.width, 0);
  await expect(notes.editor.undo).toBeEnabled();
  await notes.canvas.focus();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+z");
  await expect(notes.note("empty")).toBeVisible();
  for (let step = 0; step < 3; step++) await page.keyboard.press("Control+y");
  await expect(notes.all).toHaveText("Ask Ann <b>first</b>");

  await page.keyboard.press("End");
  await expect(notes.all).toHaveAttribute("aria-current", "true");
  await page.keyboard.press("Control+d");
  await expect(notes.all).toHaveCount(2);
  await page.keyboard.press("Delete");
  await page.keyboard.press("End");
  await page.keyboard.press("Control+c");
  expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/^# Part of a Swarmloom flow\n# Note \{/);
  await page.keyboard.press("Delete");
  await expect(notes.all).toHaveCount(0);
  await page.keyboard.press("Control+v");
  await expect(notes.all).toHaveCount(1);
  await notes.editor.expectFlow("scout >> writer");
});

test("a note by mouse: inserted, edited, resized by its corner, coloured and deleted", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const notes = new NotesOnCanvas(page);
  await notes.editor.open(id);
  await page.getByRole("button", { name: "Insert note" }).click();
  await expect(notes.writing).toBeFocused();
  await page.keyboard.type("Why");
  await notes.editor.card("scout").click();
  await notes.note("Why").dblclick();
  await expect(notes.writing).toBeFocused();
  await page.keyboard.type(" not");
  await page.keyboard.press("Escape");
  const before = await notes.editor.boxOf(notes.note("Why not"));
  await notes.drag("Why not", { x: 0.97, y: 0.95 }, { x: 60, y: 40 });
  await expect
    .poll(async () => (await notes.editor.boxOf(notes.note("Why not"))).width)
    .toBeGreaterThan(before.width + 40);
  await notes.drag("Why not", { x: 0.5, y: 0.5 }, { x: -80, y: 60 });
  await expect.poll(async () => (await notes.editor.boxOf(notes.note("Why not"))).x).toBeLessThan(before.x - 40);
  await page.getByRole("radio", { name: "pink" }).check();
  await expect(notes.note("Why not")).toHaveAttribute("data-color", "pink");
  await notes.editor.saved();
  await page.getByRole("button", { name: "Outline" }).click();
  await expect(page.getByRole("treeitem", { name: "Note: Why not" })).toHaveAttribute("aria-selected", "true");
  await page.getByRole("button", { name: "Delete note" }).click();
  await expect(notes.all).toHaveCount(0);
  await notes.editor.undo.click();
  await expect(notes.note("Why not")).toHaveAttribute("data-color", "pink");
});

test("notes are accessible in every colour", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const notes = new NotesOnCanvas(page);
  await notes.editor.open(id);
  await notes.write("Ask Ann first");
  for (const color of ["yellow", "green", "blue", "pink", "grey"]) {
    await page.getByRole("radio", { name: color }).check();
    await expectAccessible(page);
  }
  await notes.note("Ask Ann first").dblclick();
  await expect(notes.writing).toBeFocused();
  await expectAccessible(page);
});
