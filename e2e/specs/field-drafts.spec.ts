import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { InspectorPanel } from "../pages/inspector-panel";

const source = `name: Drafts
vars:
  tone: friendly
agents:
  writer: { model: "demo:writer", temperature: 0.5 }
  critic: { model: "demo:critic" }
swarm:
  type: workflow
  flow: writer >> critic
`;

test("a flow name is saved while its field still has the focus", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const name = page.getByRole("textbox", { name: "Flow name" });
  await name.press("End");
  await name.pressSequentially(" of the week");
  await expect(name).toHaveValue("Drafts of the week");
  await editor.saved();
  await page.reload();
  await expect(name).toHaveValue("Drafts of the week");
  expect(await api.getSource(id)).toContain("name: Drafts of the week\n");
});

test("a space before a pause in typing is kept", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  const description = page.getByRole("textbox", { name: "Description" });
  await description.pressSequentially("Two ");
  await expect.poll(() => api.getSource(id)).toContain("description: Two\n");
  await description.pressSequentially("words");
  await expect(description).toHaveValue("Two words");
  await expect.poll(() => api.getSource(id)).toContain("description: Two words\n");
});

/** A field of the form, the text typed into it, and the expected content of the file. */
interface TypedField {
  title: string;
  agent?: string;
  open?(page: Page): Promise<void>;
  role?: "textbox" | "combobox";
  name: string;
  text: string;
  expected: string;
}

const typedFields: TypedField[] = [
  { title: "the flow's name", name: "Flow name", text: "Renamed", expected: "name: Renamed\n" },
  {
    title: "a limit",
    open: (page) => page.getByRole("tab", { name: "Limits" }).click(),
    name: "Seconds",
    text: "45",
    expected: "max_seconds: 45",
  },
  {
    title: "a variable's name",
    open: (page) => page.getByRole("button", { name: "Variable tone", exact: true }).click(),
    name: "Name of variable tone",
    text: "style",
    expected: "style: friendly",
  },
  {
    title: "a variable's value",
    open: (page) => page.getByRole("button", { name: "Variable tone", exact: true }).click(),
    name: "Value of variable tone",
    text: "formal",
    expected: "tone: formal",
  },
  { title: "an agent's name", agent: "writer", name: "Name", text: "author", expected: "flow: author >> critic" },
  {
    title: "an agent's model",
    agent: "writer",
    role: "combobox",
    name: "Model",
    text: "demo:planner",
    expected: '"demo:planner"',
  },
  {
    title: "an agent's number",
    agent: "writer",
    open: (page) => page.getByText("Temperature, timeout").click(),
    name: "Temperature",
    text: "0.7",
    expected: "temperature: 0.7",
  },
  {
    title: "an agent's instructions",
    agent: "writer",
    name: "Instructions",
    text: "Be brief.",
    expected: "instructions: Be brief.",
  },
  { title: "the flow bar", name: "Flow", text: "critic >> writer", expected: "flow: critic >> writer" },
];

for (const { title, agent, open, role = "textbox", name, text, expected } of typedFields)
  test(`${title}: typed text survives when the user leaves the page while typing`, async ({ page, api }) => {
    const { id } = await api.createFlow(source);
    const inspector = new InspectorPanel(page);
    await inspector.editor.open(id);
    if (agent !== undefined) await inspector.show(agent);
    await open?.(page);
    const field = page.getByRole(role, { name, exact: true });
    await field.fill(text);
    // By its label: an open list hides the rest of the page from assistive technology.
    await expect(page.getByLabel("Save state")).toHaveText(/Unsaved|Saving/);
    page.on("dialog", (dialog) => dialog.accept());
    await page.reload();
    await expect.poll(() => api.getSource(id)).toContain(expected);
  });
