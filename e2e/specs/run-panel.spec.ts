import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunListPage } from "../pages/run-list-page";

test.use({ demoSpeed: 20, viewport: { width: 1600, height: 900 } });

const source = `name: Two steps
agents:
  planner: { model: "demo:planner" }
  writer: { model: "demo:writer" }
swarm: { type: workflow, flow: planner >> writer }
`;
const keyless = source.replaceAll("demo:", "compatible:");

test("Enter in the strip runs; after an edit Ctrl Enter runs the same input again", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.runSummary).toHaveCount(0);
  await editor.input.fill("Tell me of looms");
  await editor.startedBy(() => editor.input.press("Enter"));
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(editor.runSummary).toContainText("Succeeded");
  await editor.card("writer").click();
  await page.getByRole("textbox", { name: "Instructions" }).fill("Write one sentence.");
  await editor.startedBy(() => page.keyboard.press("ControlOrMeta+Enter"));
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(editor.runPanel.getByText("run 2 of this flow")).toBeVisible();
  const runs = await api.listRuns(id);
  expect(runs.map(({ input }) => input.text)).toEqual(["Tell me of looms", "Tell me of looms"]);
  // The input is remembered in this browser, also before it was run here on another visit.
  await page.reload();
  await expect(editor.input).toHaveValue("Tell me of looms");
  await expectAccessible(page);
});

test("the rows of the panel add up to its head, and lead to the timeline", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("Tell me of looms");
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await page.getByRole("button", { name: "Expand the run panel" }).click();
  const tokensIn = (text: string | null): number => Number(/≈ ([\d,]+)/.exec(text ?? "")?.[1]?.replace(",", ""));
  const rows = await editor.runSteps.getByRole("button", { name: /^(planner|writer)/ }).allTextContents();
  expect(rows).toHaveLength(2);
  const head = await editor.runPanel.getByRole("definition").nth(1).textContent();
  expect(rows.reduce((sum, row) => sum + tokensIn(row), 0)).toBe(tokensIn(head));
  await expectAccessible(page);

  await editor.runSteps.getByRole("button", { name: /^writer/ }).click();
  await expect(editor.runPanel.getByRole("region", { name: "Answer of writer" })).toContainText("Simulated answer");
  await editor.openTimeline();
  await expect(page).toHaveURL(/node=\d+/);
});

test("the last runs are in a menu; the one that is picked is shown", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  for (const input of ["Looms", "Looms. demo: error 400"]) await api.waitForRun(await api.startRun(id, input));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.runSummary).toContainText("Failed");
  await editor.runSummary.click();
  await expect(editor.runPanel.getByRole("button", { name: "Run again" })).toBeVisible();
  await expect(editor.runSteps.getByRole("button", { name: "writer not reached" })).toBeVisible();
  await page.getByRole("button", { name: "Last 20 runs" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await expectAccessible(page, "[role=menu]");
  await page.getByRole("menuitem", { name: "Run 1, Succeeded: Looms" }).click();
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(editor.card("writer").getByText("Succeeded")).toBeVisible();
  await page.getByRole("button", { name: "Close the run panel" }).click();
  await expect(editor.runPanel).toHaveCount(0);
  await expect(editor.card("writer").getByText("Succeeded")).toBeVisible();
  await page.reload();
  await expect(editor.runSummary).toContainText("Succeeded");
});

test("a failed run opens at the step at which it failed", async ({ page, api }) => {
  const { id } = await api.createFlow(source.replace("demo:writer", "openai:broken"));
  await api.waitForRun(await api.startRun(id, "Looms"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runSummary.click();
  await expect(editor.runSteps.getByRole("button", { name: /^writer Failed/ })).toHaveAttribute("aria-current", "true");
  await expect(editor.runPanel.getByRole("region", { name: "Answer of writer" })).toContainText("No fixture matched");
  await editor.runSteps.getByRole("button", { name: "Answer" }).click();
  await expect(editor.runPanel.getByRole("region", { name: "Answer of the run" })).toBeVisible();
});

test("a failed run goes on from its failed step: what finished is reused", async ({ page, api }) => {
  const failing = source.replace('"demo:writer"', '"demo:writer", instructions: "demo: error 503", max_retries: 0');
  const { id } = await api.createFlow(failing);
  const failed = await api.startRun(id, "Looms");
  await api.waitForRun(failed);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runSummary.click();
  await expect(editor.runPanel).toContainText("Reuses planner at no cost.");
  await expectAccessible(page);
  await editor.runPanel.getByRole("button", { name: "Retry from writer" }).click();
  await page.waitForURL((url) => (url.searchParams.get("run") ?? failed) !== failed);
  await expect(editor.runPanel.getByText("run 2 of this flow")).toBeVisible();
  const [again] = await api.listRuns(id);
  const { state } = await api.waitForRun(again?.id ?? "");
  const planner = state.nodes.find(({ path }) => path === "planner");
  expect([planner?.status, planner?.startedAt]).toEqual(["SUCCESS", planner?.endedAt]);
});

test("a flow without a key is simulated instead, and says so everywhere", async ({ page, api }) => {
  const { id } = await api.createFlow(keyless);
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.problems.getByText(/No address for .*: 2 agents use it/)).toHaveCount(1);
  await editor.input.fill("Tell me of looms");
  await editor.run.click();
  const dialog = page.getByRole("dialog", { name: "This flow cannot run yet" });
  await expectAccessible(page);
  await editor.startedBy(() => dialog.getByRole("button", { name: "Simulate" }).click());
  await expect(dialog).toHaveCount(0);
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(editor.runPanel.getByText("Simulated", { exact: true })).toBeVisible();
  const [run] = await api.listRuns(id);
  expect(run?.simulated).toBe(true);
  const list = new RunListPage(page);
  await list.open({ flow: id });
  await expect(list.rows.first()).toContainText("Simulated");
});

test("the first Run without an input asks for it; pressed again, it runs without", async ({ page, api }) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.run.click();
  await expect(editor.input).toBeFocused();
  await expect(page.getByText("press Run again to run without an input")).toBeVisible();
  await expectAccessible(page);
  await editor.startedBy(() => editor.run.click());
  await expect(page.getByText("press Run again to run without an input")).toHaveCount(0);
  await expect(editor.runStatus("Succeeded")).toBeVisible();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("the panel shows the names of its steps, and the tools for inserting make room", async ({ page, api }) => {
    const names = ["researcher_1", "researcher_2"];
    const agents = names.map((name) => `  ${name}: { model: "demo:writer" }\n`).join("");
    const { id } = await api.createFlow(`name: Phone\nagents:\n${agents}swarm: { flow: ${names.join(" >> ")} }\n`);
    const editor = new EditorPage(page);
    await editor.open(id);
    await expect(page.getByRole("toolbar", { name: "Insert" })).toBeVisible();
    await editor.runOn("Looms");
    await expect(editor.runStatus("Succeeded")).toBeVisible();
    for (const name of names) {
      const text = editor.runSteps.getByText(name, { exact: true });
      expect(await text.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    }
    await expect(page.getByRole("toolbar", { name: "Insert" })).toBeHidden();
  });
});
