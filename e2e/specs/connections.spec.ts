import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/keyless-test";
import { ConnectionsSection } from "../pages/connections-section";
import { EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 200 });
test.describe.configure({ mode: "serial" });

const key = "sk-canary-e2e-0123456789-WXYZ";
const flow = (model: string): string => `name: Threads
agents:
  writer: { model: "${model}", instructions: You write. }
  critic: { model: "${model}", instructions: You criticise. }
swarm: { type: workflow, flow: writer >> critic }
`;

test("a key that was entered holds for the next run, without a restart, until it is removed", async ({
  page,
  api,
  wire,
}) => {
  const connections = new ConnectionsSection(page);
  await connections.open();
  const openai = connections.row("OpenAI");
  await expect(openai).toContainText("Not set up");
  await expectAccessible(page);
  await openai.getByRole("button", { name: "Enter key for OpenAI" }).click();
  await expect(connections.key).toBeFocused();
  await connections.enter(`"${key}"`, "");
  await connections.save();
  await expect(connections.dialog).toContainText("without the quotes");
  await connections.enter(key, `${wire.url}/v1`);
  await connections.test.click();
  await expect(connections.dialog).toContainText("One streamed word");
  await expect(connections.dialog).toContainText("It can run agents");
  await expectAccessible(page, "[role=dialog]");
  await connections.save();
  await expect(connections.dialog).toHaveCount(0);
  await expect(openai).toContainText("Connected");
  await expect(openai).toContainText("WXYZ");

  const { id } = await api.createFlow(flow("openai:gpt-4.1-mini"));
  const run = await api.waitForRun(await api.startRun(id, "Count the threads."));
  expect(run.status).toBe("SUCCESS");
  await page.reload();
  await expect(openai).toContainText("Last used");
  expect(await page.content()).not.toContain(key);

  await openai.getByRole("button", { name: "Remove the connection to OpenAI" }).click();
  await connections.dialog.getByRole("button", { name: "Remove connection" }).click();
  await expect(openai).toContainText("Not set up");
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.problems).toContainText("No key for OpenAI: 2 agents use it");
  await editor.problems.getByRole("button", { name: "Add a key…" }).click();
  await expect(connections.dialog.getByRole("button", { name: "Save key" })).toBeVisible();
  await expect(connections.dialog.getByRole("button", { name: "Save and run" })).toHaveCount(0);
});

test("the problem of a missing key asks for it in place, and the run starts then", async ({ page, api, wire }) => {
  const { id } = await api.createFlow(flow("anthropic:claude-sonnet-4-5"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.input.fill("Count the threads.");
  await editor.run.click();
  const connections = new ConnectionsSection(page);
  await expect(connections.dialog).toContainText("No key for Anthropic");
  await connections.dialog.getByRole("button", { name: "Connect Anthropic…" }).click();
  await expect(connections.key).toBeFocused();
  await expectAccessible(page, "[role=dialog]");
  await connections.enter("sk-ant-canary-0123456789", wire.url);
  await connections.save("Save and run");
  await expect(connections.dialog).toHaveCount(0);
  await expect(editor.runPanel).toContainText("The three counts agree.");
  await expect(page.getByText("No key for Anthropic")).toHaveCount(0);
});

test("the list of models connects a provider, and keeps the model that the agent has", async ({ page, api }) => {
  const source = flow("google:gemini-2.5-flash");
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.card("writer").click();
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await model.click();
  await model.pressSequentially(":gemini");
  await page.getByText("Connect…", { exact: true }).first().click();
  const dialog = page.getByRole("dialog", { name: "Connect Google Gemini" });
  await expect(dialog).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await expect(model).toHaveValue("google:gemini-2.5-flash");
  await expect(page.getByRole("button", { name: "Connect Google Gemini…" })).toBeVisible();
  expect(await api.getSource(id)).toBe(source);
});

test("the list of models connects a provider by keyboard, and its next option is a model", async ({ page, api }) => {
  const source = flow("demo:writer");
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.card("writer").click();
  const model = page.getByRole("combobox", { name: "Model", exact: true });
  await model.fill("google:gemini");
  const connect = page.getByRole("option", { name: "Connect Google Gemini…" });
  await expect(connect).toBeVisible();
  await expect(page.getByRole("option").first()).toHaveAttribute("data-highlighted");
  await expect(page.getByRole("option", { name: "google:gemini-2.5-pro" })).toBeVisible();
  // The last option: the first one is what was typed.
  await model.press("ArrowUp");
  await expect(connect).toHaveAttribute("data-highlighted");
  await model.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Connect Google Gemini" });
  await expect(dialog.getByLabel(/^API key/).first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  expect(await api.getSource(id)).toBe(source);
  await model.fill("google:gemini");
  await expect(connect).toBeVisible();
  await model.press("ArrowDown");
  await model.press("Enter");
  await expect(model).toHaveValue(/^google:gemini-/);
  await expect.poll(() => api.getSource(id)).toContain("google:gemini");
});

test("a flow of the list that only lacks a key asks for it, and runs then", async ({ page, api, wire }) => {
  const { id } = await api.createFlow(flow("openai:gpt-4.1-mini").replace("Threads", "Listed threads"));
  await page.goto("/");
  const row = page
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name: "Listed threads", exact: true }) });
  await row.hover();
  await row.getByRole("button", { name: "Run Listed threads" }).click();
  await page.getByRole("textbox", { name: "Input" }).fill("Count the threads.");
  await page.getByRole("button", { name: "Start run" }).click();
  const dialog = page.getByRole("dialog", { name: "Connect OpenAI" });
  await expect(dialog.getByLabel(/^API key/).first()).toBeFocused();
  await dialog
    .getByLabel(/^API key/)
    .first()
    .fill(key);
  await dialog.getByRole("textbox", { name: "Base URL" }).fill(`${wire.url}/v1`);
  await dialog.getByRole("button", { name: "Save and run" }).click();
  await page.waitForURL(/\/runs\//);
  const [run] = await api.listRuns(id);
  expect(run?.input.text).toBe("Count the threads.");
});

test("on a phone the connections fit the screen", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const connections = new ConnectionsSection(page);
  await connections.open();
  await expect(connections.row("Anthropic")).toContainText("Connected");
  await connections
    .row("Google Gemini")
    .getByRole("button", { name: /for Google Gemini|to Google Gemini/ })
    .first()
    .click();
  await expect(connections.key).toBeVisible();
  await expectAccessible(page);
  await connections.dialog.getByRole("button", { name: "Cancel" }).click();
  await connections.section.getByRole("button", { name: "Find local servers" }).click();
  await expect(connections.section.getByText(/No model server answered|Connect/).last()).toBeVisible();
});
