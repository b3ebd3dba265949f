import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { InspectorPanel } from "../pages/inspector-panel";

test.use({ demoSpeed: 8 });

const look = (name: string): string => `\${${name}}`;
const source = `name: Inspected
vars:
  tone: friendly # how it sounds
agents:
  planner: { model: "demo:planner" } # first
  writer:
    model: "demo:writer"
    instructions: "Write. Tone: ${look("vars.tone")}."
    output_schema:
      type: object
      properties:
        title: { type: string } # short
      required: [title]
swarm:
  type: workflow
  flow: planner >> writer
`;

test("a model is found in the list by keyboard, and any other can be typed", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const inspector = await open(page, id, "planner");
  await inspector.model.click();
  await inspector.option("demo:critic").click();
  await expect(inspector.model).toHaveValue("demo:critic");
  await expect.poll(() => api.getSource(id)).toContain('{ model: "demo:critic" } # first');
  await inspector.model.fill("gpt-4o");
  await expect(inspector.option("openai:gpt-4o")).toContainText("$2.5 in, $10 out");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(inspector.model).toHaveValue(/^openai:gpt-4o/);
  await expect(inspector.model).toHaveAccessibleDescription(/per million/);

  await inspector.model.fill("openai:o3");
  await inspector.model.press("Enter");
  await inspector.advanced.click();
  await expect(page.getByText("o3 does not support temperature.")).toBeVisible();
  await inspector.model.fill("compatible:home-made");
  await inspector.model.press("Enter");
  await inspector.temperature.fill("0.3");
  await inspector.temperature.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain('{ model: "compatible:home-made", temperature: 0.3 } # first');
  await inspector.model.fill("openai:o3");
  await inspector.model.press("Enter");
  await inspector.editor.problems.getByRole("button", { name: "Remove it", exact: true }).click();
  await expect.poll(() => api.getSource(id)).toContain('{ model: "openai:o3" } # first');
});

test("the first letters after Add tool… go to its search field", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await open(page, id, "planner");
  await page.getByRole("button", { name: "Add tool…" }).click();
  const search = page.getByPlaceholder("Search tools");
  await expect(search).toBeFocused();
  await page.keyboard.type("calc");
  await expect(search).toHaveValue("calc");
  await page.keyboard.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain("tools: [calculator]");
});

test("a field with a variable keeps its text and shows the value", async ({ page, api }) => {
  const { id } = await api.createFlow(`vars:
  model: "demo:writer"
  n: 3
agents:
  planner:
    model: "${look("vars.model")}" # shared
    max_steps: "${look("vars.n")}"
swarm:
  type: workflow
`);
  const inspector = await open(page, id, "planner");
  await expect(inspector.editor.card("planner")).toContainText("writer");
  await expect(inspector.model).toHaveValue(look("vars.model"));
  await expect(inspector.model).toHaveAccessibleDescription(/^= demo:writer/);
  const steps = page.getByRole("textbox", { name: "Max steps" });
  await expect(steps).toHaveValue(look("vars.n"));
  await expect(steps).toHaveAccessibleDescription(/^= 3/);
  await steps.fill("7");
  await steps.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain("max_steps: 7");
  await steps.fill(look("vars.n"));
  await steps.press("Enter");
  await expect(steps).toHaveAccessibleDescription(/^= 3/);
  await expect.poll(() => api.getSource(id)).toContain(`model: "${look("vars.model")}" # shared`);
});

test("tools show their arguments and whether they need approval", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const inspector = await open(page, id, "planner");
  await page.getByRole("button", { name: "Add tool…" }).click();
  await page.getByPlaceholder("Search tools").fill("calc");
  await page.getByRole("option", { name: /^calculator/ }).click();
  await expect(inspector.tools.getByRole("listitem")).toHaveCount(1);
  await inspector.tools.getByRole("button", { name: "calculator", exact: true }).click();
  await page.getByRole("checkbox", { name: "A user approves each call of calculator" }).check();
  await expect.poll(() => api.getSource(id)).toContain("tools: [calculator], needs_approval: [calculator]");
  await expect(inspector.tools.getByRole("button", { name: "calculator, asks a person first" })).toBeVisible();
  await page.getByText("Arguments of calculator").click();
  await expect(page.getByRole("table", { name: "Arguments of calculator" })).toContainText("expression");
  await inspector.tools.getByRole("button", { name: "Remove tool calculator" }).click();
  await expect.poll(() => api.getSource(id)).toBe(source);
  await inspector.editor.undo.click();
  await expect.poll(() => api.getSource(id)).toContain("needs_approval: [calculator]");
});

test("output fields change single lines, and are tested on the last run", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  await api.waitForRun(await api.startRun(id, "Looms"));
  const inspector = await open(page, id, "writer");
  await inspector.structuredOutput.click();
  await expect(page.getByText("On the last run: the answer fits.")).toBeVisible();
  await page.getByRole("textbox", { name: "Name of field title" }).fill("heading");
  await page.keyboard.press("Enter");
  const renamed = source
    .replace("title: { type: string } # short", "heading: { type: string } # short")
    .replace("required: [title]", "required: [heading]");
  await expect.poll(() => api.getSource(id)).toBe(renamed);
  await expect(page.getByText(/^On the last run: the answer does not fit/)).toContainText("heading");
  await page.getByRole("button", { name: "JSON Schema", exact: true }).click();
  const text = page.getByRole("textbox", { name: "Output schema" });
  await text.fill('{ "type": "object", "anyOf": [{}] }');
  await text.blur();
  await expect(page.getByText("Rows cannot show `anyOf`.")).toBeVisible();
  await inspector.editor.clickUntilDisabled(inspector.editor.undo);
  await expect.poll(() => api.getSource(id)).toBe(source);
});

test("instructions complete their variables; a renamed variable is updated", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const inspector = await open(page, id, "writer");
  await inspector.instructions.click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.type(" See ${outputs.pl");
  await page.getByRole("option", { name: /outputs\.planner/ }).click();
  await expect(inspector.instructions).toHaveText(`Write. Tone: ${look("vars.tone")}. See ${look("outputs.planner")}`);
  await expect.poll(() => api.getSource(id)).toContain(look("outputs.planner"));
  await page.getByText("Preview with values").click();
  await expect(page.getByText("Write. Tone: friendly.")).toBeVisible();

  await inspector.editor.open(id);
  await page.getByRole("button", { name: "Variable tone", exact: true }).click();
  await page.getByRole("textbox", { name: "Name of variable tone" }).fill("mood");
  await page.keyboard.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain(`Tone: ${look("vars.mood")}.`);
  expect(await api.getSource(id)).toContain("  mood: friendly # how it sounds\n");
  await inspector.editor.undo.click();
  await expect.poll(() => api.getSource(id)).toContain("  tone: friendly # how it sounds\n");
});

test("a change of mode is previewed; several agents are edited at once", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.membersWorkAs.selectOption("Handoff");
  const dialog = page.getByRole("dialog", { name: /handoff/ });
  await expect(dialog.getByRole("region", { name: "Links that remain" })).toContainText("becomes a handoff");
  await expect(dialog.getByRole("region", { name: "Changed lines" })).toContainText("+  type: handoff");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect(await api.getSource(id)).toBe(source);
  await expect(editor.membersWorkAs).toHaveValue("workflow");

  await editor.select("planner", "writer");
  const inspector = new InspectorPanel(page);
  await inspector.model.fill("demo:critic");
  await inspector.model.press("Enter");
  await expect.poll(() => api.getSource(id).then((text) => text.match(/demo:critic/g)?.length)).toBe(2);
  await editor.undo.click();
  await expect.poll(() => api.getSource(id)).toBe(source);
  await expect(editor.undo).toBeDisabled();
});

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is accessible with everything open", async ({ page, api }) => {
      const { id } = await api.createFlow(source);
      const inspector = new InspectorPanel(page);
      await inspector.editor.open(id);
      await inspector.showLast("writer");
      await inspector.structuredOutput.click();
      await inspector.advanced.click();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Open instructions in a large window" }).click();
      await expect(page.getByRole("dialog").getByRole("textbox", { name: "Instructions" })).toBeVisible();
      await expectAccessible(page);
      await page.keyboard.press("Escape");
      await inspector.model.click();
      await expect(inspector.option("demo:planner")).toBeVisible();
      // While the list is open its library hides the rest of the page from screen readers, until the focus goes there.
      await expectAccessible(page, "[role=listbox]");
    });
  });
}

/** The inspector of one agent. */
async function open(page: Page, id: string, agent: string): Promise<InspectorPanel> {
  const inspector = new InspectorPanel(page);
  await inspector.editor.open(id);
  await inspector.show(agent);
  return inspector;
}
