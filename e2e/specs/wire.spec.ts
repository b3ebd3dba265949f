import { expect, test } from "../fixtures/test";
import { wires } from "../fixtures/wire-server";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

const flow = (model: string): string => `name: Threads
agents:
  planner: { model: "${model}", instructions: You plan. }
  researcher_1: { model: "${model}", instructions: You research., tools: [calculator] }
  researcher_2: { model: "${model}", instructions: You research., tools: [calculator] }
  critic: { model: "${model}", instructions: You criticise. }
  writer: { model: "${model}", instructions: You write. }
swarm: { type: workflow, flow: planner >> (researcher_1 | researcher_2) >> critic >> writer }
`;

for (const { provider: title, model, path, body } of wires) {
  test(`runs on the protocol of ${title}: words stream, a reload loses nothing, the timeline shows the exact request`, async ({
    page,
    api,
    wire,
  }) => {
    test.setTimeout(120_000);
    const { id } = await api.createFlow(flow(model));
    const editor = new EditorPage(page);
    await editor.open(id);
    await editor.runOn(`Count the threads on ${title}.`);
    await expect(editor.runPanel).toContainText("Plan: count");
    await expect(editor.runStatus("Running")).toBeVisible();
    await page.reload();
    await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
    await expect(editor.runPanel).toContainText("Three researchers counted 51 threads.");
    await page.reload();
    await expect(editor.runStatus("Succeeded")).toBeVisible();
    await editor.openTimeline();

    const run = new RunPage(page);
    await expect(run.page.getByText("Simulated")).toHaveCount(0);
    await run.row("Tool call calculator").first().click();
    await expect(run.detail).toContainText("51");
    await run.showTab("Arguments");
    await expect(run.detail).toContainText("17 * 3");

    await run.row("Model call").first().click();
    await run.showTab("Request");
    const shown: unknown = JSON.parse((await run.detail.locator("pre").textContent()) ?? "");
    const received = wire
      .getRequests()
      .find((entry) => entry.path.startsWith(path) && JSON.stringify(entry.body).includes(`threads on ${title}.`));
    expect(received).toBeDefined();
    expect(shown).toMatchObject(body);
    expect(JSON.stringify(shown)).toContain(`Count the threads on ${title}.`);
    await expect(run.detail).toContainText(path);
  });
}

test("a reload during a run continues at the same position, and cancelling ends it at once", async ({ page, api }) => {
  const names = [..."abcdefghijklmnopqrstuvwxyz"];
  const agents = names.map((name) => `  ${name}: { model: "openai:slow-1", instructions: ${name} }`).join("\n");
  const { id } = await api.createFlow(`name: Long\nagents:\n${agents}\nswarm: { flow: ${names.join(" >> ")} }\n`);
  const runId = await api.startRun(id, "a long story about looms");
  const run = new RunPage(page);
  await run.open(runId);
  await expect(run.row("Agent a")).toBeVisible();
  await expect(run.row("Agent b")).toBeVisible();
  await page.reload();
  await expect(run.row("Agent b")).toBeVisible();
  await run.steps.press("Home");
  await expect(run.row("Agent a")).toBeVisible();
  await run.row("Agent a").click();
  await expect(run.detail).toContainText("answer 1");
  await run.cancel.click();
  await expect(run.status("Cancelled")).toBeVisible();
  const ended = await api.waitForRun(runId, 5);
  expect(ended.status).toBe("CANCELLED");
  expect(ended.state.nodes.every((node) => node.endedAt !== undefined)).toBe(true);
});

test("HTML in an answer is shown as text, not executed", async ({ page, api }) => {
  const { id } = await api.createFlow(
    'name: HTML\nagents:\n  writer: { model: "demo:writer" }\nswarm: { type: workflow, flow: writer }\n',
  );
  const evil =
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [link](javascript:window.hacked=1)';
  const runId = await api.startRun(id, evil);
  await api.waitForRun(runId);
  const run = new RunPage(page);
  await run.open(runId);
  await run.showTab("Input");
  await expect(run.detail).toContainText("<script>");
  await run.showTab("Answer");
  await expect(run.detail).toContainText("Simulated answer");
  expect(await page.evaluate("window.hacked")).toBeUndefined();
  await expect(run.detail.locator("img, script, a[href^='javascript']")).toHaveCount(0);
});
