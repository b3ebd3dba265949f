import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test as keyless } from "../fixtures/keyless-test";
import { type ModelListServer, startModelListServer } from "../fixtures/model-list-server";
import { ConnectionsSection } from "../pages/connections-section";
import { InspectorPanel } from "../pages/inspector-panel";

const test = keyless.extend<object, { models: ModelListServer }>({
  models: [
    async ({ browserName: _ }, use) => {
      const server = await startModelListServer(["qwen3:8b", "llama3.2", "mistral-small"]);
      await use(server);
      server.close();
    },
    { scope: "worker" },
  ],
});

const source = `name: Local models
agents:
  writer: { model: "demo:writer" }
  critic: { model: "compatible:qwen3:8b" }
swarm: { flow: writer >> critic }
`;

test("models of a connected server come first; a typed name is one of them, and Enter takes it", async ({
  page,
  api,
  models,
}) => {
  const connections = new ConnectionsSection(page);
  await connections.open();
  await connections
    .row("OpenAI-compatible server")
    .getByRole("button", { name: /^Enter address/ })
    .click();
  await connections.baseUrl.fill(models.url);
  await connections.save("Save");
  await expect(connections.dialog).toHaveCount(0);
  const { id } = await api.createFlow(source);
  const inspector = new InspectorPanel(page);
  await inspector.editor.open(id);
  await expect(inspector.editor.card("critic")).toContainText("qwen3:8b");
  await expect(inspector.editor.card("critic")).not.toContainText("compatible");
  await inspector.show("writer");
  await inspector.model.click();
  const groups = page.getByRole("listbox").getByRole("group");
  await expect(groups.nth(1)).toHaveAccessibleName(/^127\.0\.0\.1:\d+/);
  await expect(groups.nth(1).getByRole("option")).toHaveText(["compatible:llama3.2", "compatible:mistral-small"]);
  await expectAccessible(page, "[role=listbox]");
  const unconnected = page.getByRole("option", { name: /^Not connected: OpenAI, Anthropic, Google Gemini/ });
  await expect(page.getByRole("option", { name: /^openai:/ })).toHaveCount(0);
  await unconnected.click();
  await expect(page.getByRole("option", { name: /^openai:/ }).first()).toBeVisible();
  await expect(page.getByRole("option", { name: "Connect OpenAI…" })).toBeVisible();

  await inspector.model.fill("llama");
  await expect(page.getByRole("option").first()).toHaveText("compatible:llama3.2");
  await expect(page.getByRole("option").first()).toHaveAttribute("data-highlighted");
  await inspector.model.press("Enter");
  await expect(inspector.model).toHaveValue("compatible:llama3.2");
  await expect.poll(() => api.getSource(id)).toContain('writer: { model: "compatible:llama3.2" }');

  await inspector.model.fill("phi4");
  await expect(page.getByRole("option", { name: "Use compatible:phi4" })).toHaveAttribute("data-highlighted");
  await inspector.model.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain('writer: { model: "compatible:phi4" }');

  // Without waiting for the list.
  await inspector.model.pressSequentially("x");
  await inspector.model.fill("mistral");
  await inspector.model.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain('writer: { model: "compatible:mistral-small" }');
  // A field that is left takes a name only when it is a whole one.
  await inspector.model.fill("llama3.2");
  await inspector.model.press("Tab");
  await expect.poll(() => api.getSource(id)).toContain('writer: { model: "compatible:llama3.2" }');
});

test("a whole name is used as it was typed, whatever the list has", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const inspector = new InspectorPanel(page);
  await inspector.editor.open(id);
  await inspector.show("writer");
  await inspector.model.fill("demo:plan");
  await expect(page.getByRole("option").first()).toHaveText(/^demo:plan/);
  await inspector.model.press("Enter");
  await expect.poll(() => api.getSource(id)).toContain('writer: { model: "demo:plan" }');
});

test("a server without a list is tested with a model that the dialog asks for", async ({ page }) => {
  const empty = await startModelListServer([]);
  const connections = new ConnectionsSection(page);
  await connections.open();
  const row = connections.row("OpenAI-compatible server");
  await row.getByRole("button", { name: /^(Enter address|Change) for/ }).click();
  await connections.baseUrl.fill(empty.url);
  await connections.test.click();
  await expect(connections.dialog).toContainText("Not tested: no model was asked");
  await connections.dialog.getByRole("textbox", { name: "Model to test" }).fill("home-made");
  await expectAccessible(page, "[role=dialog]");
  await connections.dialog.getByRole("textbox", { name: "Model to test" }).press("Enter");
  await expect(connections.dialog).toContainText("asked home-made");
  await expect(connections.dialog).toContainText("It cannot run agents yet");
  await connections.save("Save");
  await expect(connections.dialog).toHaveCount(0);
  await expect(row.getByText("Not tested", { exact: true })).toBeVisible();
  empty.close();
});
