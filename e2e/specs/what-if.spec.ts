import { expectAccessible } from "../fixtures/expect-accessible";
import { holdModel } from "../fixtures/held-model";
import { expect, test } from "../fixtures/test";
import { ComparePage } from "../pages/compare-page";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 200, longestAnswer: 25 });

const source = `name: What if
agents:
  planner: { model: "demo:planner" }
  writer: { model: "demo:writer", instructions: "Be brief." }
swarms:
  inner: { flow: writer }
swarm: { type: workflow, flow: planner >> inner }
`;

for (const width of [1440, 390])
  test(`${width} px: several models are tried by keyboard, and compared live with the run that they continue`, async ({
    page,
    api,
    wire,
  }) => {
    await page.setViewportSize({ width, height: 900 });
    const { id } = await api.createFlow(source);
    const parent = await api.startRun(id, "Weave a carpet.");
    await api.waitForRun(parent);
    const held = holdModel(wire);
    const run = new RunPage(page);
    await run.open(parent);
    await run.row("Agent writer").click();
    await page.getByRole("button", { name: "Run from here with changes…" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: 'Run from "writer"' });
    await expect(dialog.getByLabel("Instructions")).toHaveValue("Be brief.");
    await dialog.getByRole("combobox", { name: "Model", exact: true }).fill("demo:critic");
    await dialog.getByRole("button", { name: "Another model" }).press("Enter");
    await dialog.getByRole("combobox", { name: "Model 2" }).fill(held.model);
    await expect(dialog.getByRole("combobox", { name: "Runs of each" }).getByRole("option")).toHaveText(["1", "2"]);
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Start 2 runs and compare" }).press("Enter");

    await page.waitForURL(new RegExp(`/runs/compare\\?runs=${parent},`));
    const compare = new ComparePage(page);
    await expect(page.getByText("1 of 3 still under way")).toBeVisible();
    await expect(compare.runs.getByText("demo:critic")).toBeVisible();
    await expect(compare.output.getByText("No output yet.")).toBeVisible({ visible: width > 640 });
    await expectAccessible(page);
    held.release();
    await expect(page.getByText("still under way")).toHaveCount(0);
    await page.getByRole("button", { name: "C", exact: true }).click();
    await expect(compare.runs.getByText(held.model)).toBeVisible();
    await expect(compare.runs.getByText("demo:critic")).toBeVisible({ visible: width > 640 });
    await expect(compare.output.getByRole("region", { name: "Output of C" })).toContainText("Released.");
    await expect(compare.row("Agent planner").getByText("reused").last()).toBeVisible();
    await expect(compare.row("Agent planner")).not.toContainText("differs");
    await page.getByRole("button", { name: "Word by word" }).press("Enter");
    await expect(compare.output.getByRole("insertion").first()).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Word by word" })).toHaveAttribute("aria-pressed", "true");
    await expectAccessible(page);
  });

test("a run lists its forks, and compares them with itself", async ({ page, api, app }) => {
  const { id } = await api.createFlow(source);
  const parent = await api.startRun(id, "Weave a carpet.");
  const { state } = await api.waitForRun(parent);
  const node = state.nodes.find(({ name }) => name === "writer")?.id;
  const send = (models: readonly string[]): Promise<Response> =>
    fetch(`${app.url}/api/v1/runs/${parent}/what-if`, {
      method: "POST",
      body: JSON.stringify({ node, models }),
      headers: { "content-type": "application/json" },
    });
  expect((await send(["demo:critic", "nowhere:x"])).status).toBe(400);
  const run = new RunPage(page);
  await run.open(parent);
  await expect(run.row("Agent writer")).toBeVisible();
  await expect(page.getByRole("button", { name: /fork/ })).toHaveCount(0);

  expect((await send(["demo:critic", "demo:planner", "demo:critic"])).status).toBe(202);
  await page.reload();
  await page.getByRole("button", { name: "3 forks" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Runs that continue this one" });
  await expect(dialog.getByRole("listitem")).toHaveCount(3);
  await expect(dialog.getByText("model demo:planner")).toHaveCount(1);
  await expectAccessible(page);
  await dialog.getByRole("link", { name: "Compare the newest 3 with this run" }).press("Enter");
  await expect(page.getByRole("heading", { name: "Compare 4 runs" })).toBeVisible();
});
