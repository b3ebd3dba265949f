import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test("a run goes on where it was after its server was killed: what had finished is not asked again", async ({
  page,
  wire,
}) => {
  test.setTimeout(180_000);
  const app = new AppServer({ OPENAI_API_KEY: "sk-loopback", OPENAI_BASE_URL: `${wire.url}/v1` });
  await app.start();
  try {
    const { id } = await new Api(app.url).createFlow(`name: Cut
agents:
  quick: { model: "openai:slow-3", instructions: "Killed after this." }
  late: { model: "openai:slow-1", instructions: "Killed during this." }
swarm: { type: workflow, flow: quick >> late }
`);
    const runId = await new Api(app.url).startRun(id, "go");
    await new Api(app.url).waitForStep(runId, "late", "RUNNING");
    await app.kill();
    await app.start();

    const run = await new Api(app.url).waitForRun(runId, 30);
    expect([run.status, run.output.text]).toEqual(["SUCCESS", "answer 1"]);
    const asked = wire.getRequests().map(({ body }) => JSON.stringify(body));
    expect(asked.filter((body) => body.includes("Killed after this."))).toHaveLength(1);
    const calls = run.state.nodes.filter(({ kind }) => kind === "llm_call");
    expect(calls.map(({ status }) => status)).toEqual(["SUCCESS", "SUCCESS"]);

    await page.goto(`${app.url}/runs/${runId}`);
    await expect(page.getByText("answer 1").first()).toBeVisible();
    const editor = new EditorPage(page);
    await page.goto(`${app.url}/flows/${id}?run=${runId}`);
    await expect(editor.runPanel.getByRole("alert")).toHaveCount(0);
  } finally {
    await app.stop();
  }
});

test("a missing key is a problem before the run, not a failure during it", async ({ page }) => {
  test.setTimeout(120_000);
  const app = new AppServer();
  await app.start();
  try {
    const { id } = await new Api(app.url).createFlow(
      `name: Keyless\nagents:\n  a: { model: "openai:gpt-5-mini" }\nswarm: { type: workflow, flow: a }\n`,
    );
    await expect(new Api(app.url).startRun(id, "go")).rejects.toThrow(/400.*OPENAI_API_KEY/s);
    await page.goto(`${app.url}/flows/${id}`);
    const editor = new EditorPage(page);
    await expect(editor.problems.getByText(/OPENAI_API_KEY/).first()).toBeVisible();
    await expect(editor.run).toHaveAccessibleDescription(/Cannot run yet.*OPENAI_API_KEY/);
  } finally {
    await app.stop();
  }
});
