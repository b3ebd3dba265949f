import { stat } from "node:fs/promises";
import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expectAccessible } from "../fixtures/expect-accessible";
import { longAnswer } from "../fixtures/step-answers";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";
import { StepPanel } from "../pages/step-panel";

test.use({ demoSpeed: 200, longestAnswer: 25 });

const flowOf = (agents: string, flow: string, more = ""): string =>
  `name: Steps\nagents:\n${agents}\n${more}swarm: { type: workflow, flow: ${flow} }\n`;

async function runFlow(api: Api, source: string, input = "Count the threads."): Promise<string> {
  const { id } = await api.createFlow(source);
  const runId = await api.startRun(id, input);
  await api.waitForRun(runId);
  return runId;
}

const researcher = '  researcher: { model: "openai:gpt-4.1-mini", instructions: You research., tools: [calculator] }';

test("a model call shows its tools, its raw answer, its tokens, and the reason for it", async ({ page, api }) => {
  const step = new StepPanel(page);
  await step.open(await runFlow(api, flowOf(researcher, "researcher")), "Model call");
  await step.showTab("Tools offered");
  await expect(step.panel.getByRole("listitem")).toContainText("calculator");
  await expect(step.panel).toContainText('"expression"');
  await step.showTab("Raw answer");
  await expect(step.panel).toContainText('"object": "response"');
  await expect(step.panel).toContainText('"function_call"');
  await step.showTab("Usage and timing");
  for (const name of ["Input", "Input from a cache", "Output", "Reasoning", "Cost"])
    await expect(step.panel.getByRole("rowheader", { name, exact: true })).toBeVisible();
  await expect(step.fact("Tokens per second")).toBeVisible();
  await expect(step.panel).toContainText("The agent's decision 1 was to call the model.");
  await expectAccessible(page);

  await step.panel.getByRole("button", { name: "Show the agent" }).click();
  await step.showTab("Decisions");
  await expect(step.panel.getByRole("listitem")).toContainText([
    "Called the model with the input.",
    "calculator",
    "Called the model again with the tool results.",
    "Done: the agent answered.",
  ]);
  await step.select("Model call", 1);
  await step.showTab("Instruction changes");
  await expect(step.panel).toContainText("Same as in the previous call.");
});

test("instructions that changed since the agent's last call are compared word by word", async ({ page, api }) => {
  const source = flowOf(
    `  writer: { model: "demo:writer", instructions: "Write about \${input}" }`,
    "again",
    "loops: { again: { body: writer, count: 2 } }\n",
  );
  const step = new StepPanel(page);
  await step.open(await runFlow(api, source, "looms"), "Model call");
  await expect(step.detail.getByRole("tab", { name: "Instruction changes" })).toHaveCount(0);
  await step.select("Model call", 1);
  await step.showTab("Instruction changes");
  await expect(step.panel.getByRole("deletion").last()).toBeVisible();
  await expect(step.panel.getByRole("insertion").last()).toBeVisible();
});

test("a failed attempt shows its reason and the waiting time", async ({ page, api }) => {
  const step = new StepPanel(page);
  await step.open(await runFlow(api, flowOf('  writer: { model: "openai:flaky" }', "writer")), "Model call");
  await step.showTab("Attempts");
  await expect(step.panel).toContainText(/Attempt 1.*waited 1\.\d s/);
  await expect(step.panel).toContainText("Overloaded, come back soon.");
  await expect(step.panel).toContainText("Attempt 2 succeeded.");
});

test("a parameter that the server rejects is shown with the reason", async ({ page, wire }) => {
  test.setTimeout(120_000);
  const app = new AppServer({ COMPATIBLE_BASE_URL: `${wire.url}/v1` });
  await app.start();
  try {
    const agent = '  researcher: { model: "compatible:toolless", tools: [calculator] }';
    const runId = await runFlow(new Api(app.url), flowOf(agent, "researcher"));
    await page.goto(`${app.url}/runs/${runId}`);
    const step = new StepPanel(page);
    await step.select("Model call");
    await step.showTab("Request");
    const left = step.panel.getByRole("region", { name: "Parameters left out" });
    await expect(left).toContainText("tools");
    await expect(left).toContainText("toolless does not support tools");
    await step.showTab("Tools offered");
    await expect(step.panel).toContainText("No tools were offered.");
  } finally {
    await app.stop();
  }
});

test("a structured answer is shown next to its schema", async ({ page, api }) => {
  const agent =
    '  writer: { model: "demo:writer", output_schema: { type: object, properties: { title: { type: string } }, required: [title] } }';
  const step = new StepPanel(page);
  await step.open(await runFlow(api, flowOf(agent, "writer")), "Agent writer");
  await step.showTab("Value");
  await expect(step.panel.getByRole("region", { name: "Value" })).toContainText('"title": "');
  await expect(step.panel.getByRole("region", { name: "Schema" })).toContainText('"required"');
  await expectAccessible(page);
});

test("20 MB: the beginning at once, the complete text in a dialog, and as a file", async ({ page, api }) => {
  test.setTimeout(180_000);
  const step = new StepPanel(page);
  await step.open(await runFlow(api, flowOf('  writer: { model: "openai:novelist" }', "writer")), "Agent writer");
  await expect(step.panel).toContainText("woven woven");
  await expect(step.panel).toContainText(/The first 16\.4 K characters of 20\.0 M characters/);
  await step.loadAll.click();
  const whole = step.panel.getByRole("region", { name: "Answer, whole" });
  await expect(whole).toContainText("woven");
  await whole.press("End");
  await expect(whole).toContainText("the last thread");
  const drawn = await whole.evaluate((element) => element.textContent?.length ?? 0);
  expect(drawn).toBeLessThan(100_000);
  await expectAccessible(page);
  const [file] = await Promise.all([page.waitForEvent("download"), step.download.click()]);
  expect(file.suggestedFilename()).toMatch(/^step-\d+-output\.txt$/);
  expect((await stat(await file.path())).size).toBe(longAnswer.length);
});

test("data in a text is a chip, a small image is shown, and only web addresses are links", async ({ page, api }) => {
  const step = new StepPanel(page);
  await step.open(await runFlow(api, flowOf('  painter: { model: "openai:painter" }', "painter")), "Agent painter");
  await expect(step.panel).toContainText("image/png");
  await expect(step.panel).toContainText("image/svg+xml");
  await expect(step.panel.locator("img")).toHaveCount(1);
  await expect(step.panel.locator("img")).toHaveAttribute("src", /^data:image\/png;base64,/);
  await expect(step.panel).not.toContainText("iVBORw0KGgo");
  await expect(step.panel.getByRole("link")).toHaveText(["good"]);
  await step.panel.getByRole("button", { name: "Raw" }).click();
  await expect(step.panel).not.toContainText("iVBORw0KGgo");
  await expect(step.panel.locator("[data-chip]")).toHaveCount(2);
});

test("a failed run names its first failing step, and its action works by keyboard", async ({ page, api }) => {
  const agents = `  helper: { model: "demo:writer" }\n${researcher.replace("tools:", "max_steps: 1, tools:")}`;
  const { id } = await api.createFlow(flowOf(agents, "helper >> researcher"));
  const runId = await api.startRun(id, "Count the threads.");
  await api.waitForRun(runId);
  const step = new StepPanel(page);
  await step.run.open(runId);
  await expect(step.trouble).toContainText("researcher failed: the agent reached its limit of model calls");
  await expect(step.trouble).toContainText("helper finished and is kept.");
  // The page opens at the error.
  await expect(step.panel).toContainText("Step limit");
  await step.run.steps.press("Home");
  await expect(step.detail.getByRole("heading", { name: "Whole run" })).toBeVisible();
  await expectAccessible(page);
  await step.trouble.getByRole("button", { name: "Show step" }).press("Enter");
  await expect(step.detail.getByRole("heading", { name: "researcher" })).toBeVisible();
  await expect(step.panel).toContainText("Step limit");
  await step.trouble.getByRole("link", { name: "Raise the limit" }).press("Enter");
  const editor = new EditorPage(page);
  await expect(page).toHaveURL(new RegExp(`/flows/${id}\\?select=researcher`));
  await expect(editor.name).toHaveValue("researcher");
});

test("a rejected key names its variable; a run is repeated with the same input", async ({ page, api }) => {
  const agent = '  writer: { model: "openai:locked", max_retries: 0 }';
  const step = new StepPanel(page);
  await step.run.open(await runFlow(api, flowOf(agent, "writer"), "Weave."));
  await expect(step.trouble).toContainText("writer failed: the provider did not accept the key");
  await expect(step.panel.getByRole("region", { name: "What helps" })).toContainText("OPENAI_API_KEY");
  await expect(step.panel.getByRole("button", { name: "Copy OPENAI_API_KEY" })).toBeVisible();
  const answer = step.panel.getByRole("region", { name: "The provider's answer", exact: true });
  await expect(answer).toContainText("Status 401");
  await expect(answer.getByRole("region", { name: "Text of the provider's answer" })).toContainText('"message"');
  await step.trouble.getByRole("button", { name: "Connect OpenAI…" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Save and run again" })).toBeVisible();
});

test("a run is repeated with its complete long input", async ({ page, api }) => {
  const input = `${"Weave a long carpet. ".repeat(1000)}The last knot.`;
  const first = await runFlow(api, flowOf('  writer: { model: "demo:writer" }', "writer"), input);
  const run = new RunPage(page);
  await run.open(first);
  await page.getByRole("button", { name: "Run again", exact: true }).press("Enter");
  await page.waitForURL((url) => url.pathname.startsWith("/runs/") && !url.pathname.endsWith(first));
  await run.row("Agent writer").click();
  await run.showTab("Input");
  await expect(run.panel).toContainText("The last knot.");
});

test("a transient failure can be retried with the same input", async ({ page, api }) => {
  const agent = '  writer: { model: "demo:writer", instructions: "demo: error 503", max_retries: 0 }';
  const first = await runFlow(api, flowOf(agent, "writer"), "Weave a long carpet.");
  const step = new StepPanel(page);
  await step.run.open(first);
  await expect(step.panel.getByRole("region", { name: "What helps" })).toContainText("Try it again with Retry");
  const runAgain = page.getByRole("button", { name: /^run again/i });
  await expect(runAgain).toHaveCount(1);
  await runAgain.press("Enter");
  await expect(page).not.toHaveURL(new RegExp(first));
  await step.select("Agent writer");
  await step.showTab("Input");
  await expect(step.panel).toContainText("Weave a long carpet.");
});
