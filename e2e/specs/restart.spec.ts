import { Api } from "../fixtures/api";
import { AppServer } from "../fixtures/app-server";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";

test("a killed server keeps every finished step and marks the run as interrupted", async ({ page, wire }) => {
  test.setTimeout(180_000);
  const app = new AppServer({ OPENAI_API_KEY: "sk-loopback", OPENAI_BASE_URL: `${wire.url}/v1` });
  await app.start();
  try {
    const { id } = await new Api(app.url).createFlow(`name: Cut
agents:
  quick: { model: "openai:slow-3" }
  late: { model: "openai:slow-1", instructions: again }
swarm: { type: workflow, flow: quick >> late }
`);
    const runId = await new Api(app.url).startRun(id, "go");
    await expect
      .poll(
        async () => (await new Api(app.url).getRun(runId)).state.nodes.map((node) => `${node.name} ${node.status}`),
        {
          intervals: [50],
        },
      )
      .toEqual(expect.arrayContaining(["quick SUCCESS", "late RUNNING"]));
    await app.kill();
    await app.start();

    const run = await new Api(app.url).waitForRun(runId, 30);
    expect(run.status).toBe("FAILED");
    expect(run.error?.code).toBe("interrupted");
    const byName = new Map(run.state.nodes.filter((node) => node.kind === "agent").map((node) => [node.name, node]));
    expect(byName.get("quick")).toMatchObject({ status: "SUCCESS", output: { text: "answer 3" } });
    expect(byName.get("late")?.status).toBe("FAILED");
    expect(run.state.nodes.every((node) => node.endedAt !== undefined)).toBe(true);

    await page.goto(`${app.url}/runs/${runId}`);
    await expect(page.getByText("Interrupted", { exact: true }).first()).toBeVisible();
    const stopped = page.getByRole("status").filter({ hasText: "The server stopped during the run." });
    await expect(stopped).toBeVisible();

    const editor = new EditorPage(page);
    await page.goto(`${app.url}/flows/${id}?run=${runId}`);
    await expect(editor.runPanel.getByRole("status")).toContainText("The server stopped during the run.");
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
