import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 8 });

const agents = `agents:
  a: { model: "demo:assistant" }
  b: { model: "demo:assistant" }
  c: { model: "demo:writer" }   # the last word
`;

test("a workflow becomes a handoff swarm and a workflow again; one undo each restores the text byte for byte", async ({
  page,
  api,
}) => {
  const source = `name: Modes # kept\n${agents}swarm:\n  type: workflow\n  flow: a >> b >> c\n`;
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const cards = page.getByRole("article", { name: /^Agent / });

  const canvasTop = async () => (await page.locator("#flow-canvas").boundingBox())?.y;
  const top = await canvasTop();
  await editor.setMode("Handoff");
  await expect(editor.link("a may hand over to b")).toHaveCount(1);
  await expect(page.getByText("Handoff swarm: a (begins), b, c")).toBeVisible();
  expect(await canvasTop()).toBe(top);
  await expect(editor.link("b may hand over to c")).toHaveCount(1);
  await expect(cards).toHaveCount(3);
  await expect.poll(() => api.getSource(id)).toContain("type: handoff");
  const handoff = await api.getSource(id);

  await editor.setMode("Workflow");
  await editor.expectFlow("a >> b >> c");
  await expect(cards).toHaveCount(3);
  await expect.poll(() => api.getSource(id)).toContain("type: workflow");

  await editor.undo.click();
  await expect(editor.membersWorkAs).toHaveValue("handoff");
  await expect.poll(() => api.getSource(id)).toBe(handoff);
  await editor.undo.click();
  await expect(editor.membersWorkAs).toHaveValue("workflow");
  await expect.poll(() => api.getSource(id)).toBe(source);
  await expect(editor.undo).toBeDisabled();
});

test("a handoff is drawn with the mouse and deleted with the keyboard", async ({ page, api }) => {
  const source = `name: Drawn\n${agents}swarm: { type: handoff, agents: [a, b, c], edges: [[a, b]] }\n`;
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.drawFrom("b", { agent: "c" });
  await expect(editor.link("b may hand over to c")).toHaveCount(1);
  await expect.poll(() => api.getSource(id)).toContain("edges: [[a, b], [b, c]]");
  await editor.drawFrom("c", { agent: "a" });
  await expect(editor.link("c may hand over to a")).toHaveCount(1);

  await editor.clickLink("c may hand over to a");
  await page.keyboard.press("Delete");
  await expect(editor.link("c may hand over to a")).toHaveCount(0);
  await editor.clickLink("b may hand over to c");
  await page.keyboard.press("Delete");
  await expect(editor.link("b may hand over to c")).toHaveCount(0);
  await expect(editor.card("c")).toBeVisible();
  await expect.poll(() => api.getSource(id)).toBe(source);
});

test("a branch from the toolbar: its condition is checked, tested and applied", async ({ page, api }) => {
  const { id } = await api.createFlow(
    'name: Decides\nagents: { a: { model: "demo:assistant" } }\nswarm: { flow: a }\n',
  );
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.card("a").click();
  await page.getByRole("button", { name: "Insert branch" }).click();
  await expect(editor.part("Branch branch")).toBeVisible();
  await editor.expectFlow("a >> branch");

  const condition = page.getByRole("textbox", { name: "Condition" });
  await condition.fill("contains(inptu, 1");
  await condition.press("Enter");
  await expect(condition).toHaveAttribute("aria-invalid", "true");
  await expect(condition).toHaveAccessibleDescription(/Expected/);
  await expect(editor.problems.getByRole("button").first()).toBeVisible();
  await condition.fill('contains(lower(input), "refund")');
  await condition.press("Enter");
  await expect(condition).toHaveAttribute("aria-invalid", "false");
  await expect(editor.problems).toContainText("No problems");

  await editor.saved();
  await editor.runOn("May I have a refund?");
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(editor.card("if_yes").getByText("Succeeded")).toBeVisible();
  await expect(editor.card("if_no").getByText("Succeeded")).toHaveCount(0);
  await editor.part("Branch branch").getByText("branch", { exact: true }).click();
  await expect(condition).toHaveAccessibleDescription("On the last run: true");
  await condition.fill('contains(input, "parcel")');
  await condition.press("Enter");
  await expect(condition).toHaveAccessibleDescription("On the last run: false");
});

test("a typed loop gets a frame around its body", async ({ page }) => {
  const editor = new EditorPage(page);
  await editor.openNew();
  await editor.typeText(`name: Typed loop
${agents}loops:
  refine: { body: a >> b, count: 4 }
swarm:
  type: workflow
  flow: refine >> c
`);
  const frame = editor.part("Loop refine");
  await expect(frame).toBeVisible();
  await expect(frame).toContainText("at most 4 rounds");
  await expect(editor.problems).toContainText("No problems");
  await editor.fit.click();
  const outer = await editor.boxOf(frame);
  for (const name of ["a", "b"]) {
    const inner = await editor.boxOf(editor.card(name));
    expect(inner.x).toBeGreaterThan(outer.x);
    expect(inner.y).toBeGreaterThan(outer.y);
    expect(inner.x + inner.width).toBeLessThan(outer.x + outer.width);
    expect(inner.y + inner.height).toBeLessThan(outer.y + outer.height);
  }
  // The next card is beside the frame or below it, by the room that the canvas has.
  const next = await editor.boxOf(editor.card("c"));
  expect(next.x > outer.x + outer.width || next.y > outer.y + outer.height).toBe(true);
});
