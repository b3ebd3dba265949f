import { blockWebSockets } from "../fixtures/block-web-sockets";
import { savePicture } from "../fixtures/picture";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

const line = "planner >> (researcher_1 | researcher_2 | researcher_3) >> critic >> writer";

test("draws the flow by mouse, undoes and redoes it, runs it on demo and reads the timeline", async ({ page }) => {
  test.setTimeout(180_000);
  const editor = new EditorPage(page);
  await editor.openNew();
  await page.getByRole("button", { name: "Add an agent" }).click();
  await editor.rename("agent", "planner");
  await editor.chooseModel("demo:assistant");
  await expect(editor.card("planner")).toContainText("assistant");
  for (const [number, down] of [
    [1, 0],
    [2, 180],
    [3, 220],
  ] as const) {
    await editor.drawFrom("planner", { right: number === 1 ? 160 : 60, down });
    await editor.rename("agent", `researcher_${number}`);
  }
  await editor.expectFlow("planner >> (researcher_1 | researcher_2 | researcher_3)");
  await editor.drawFrom("researcher_1", { right: 100, down: 10 });
  await editor.rename("agent", "critic");
  await editor.drawFrom("researcher_2", { agent: "critic" });
  await editor.drawFrom("researcher_3", { agent: "critic" });
  await editor.expectFlow("planner >> (researcher_1 | researcher_2 | researcher_3) >> critic");
  await editor.card("critic").click();
  await editor.addAgent.click();
  await editor.rename("agent", "writer");
  await editor.expectFlow(line);

  await editor.clickUntilDisabled(editor.undo);
  await expect(page.getByRole("article")).toHaveCount(0);
  await editor.clickUntilDisabled(editor.redo);
  await editor.expectFlow(line);
  await editor.saved();

  const running = editor.seenRunning("researcher_3");
  await editor.runOn("How can a small city keep its streets cool?");
  await running;
  await savePicture(page, "editor");
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 60_000 });
  await editor.openTimeline();

  const run = new RunPage(page);
  await expect(run.status("Simulated")).toBeVisible();
  const bars = await Promise.all([1, 2, 3].map((number) => run.times(run.row(`Agent researcher_${number}`))));
  expect(Math.max(...bars.map((bar) => bar.from))).toBeLessThan(Math.min(...bars.map((bar) => bar.to)));
  const critic = await run.times(run.row("Agent critic"));
  expect(critic.from).toBeGreaterThanOrEqual(Math.max(...bars.map((bar) => bar.to)) - 150);
});

test("makes the same flow by typing, both in the text and on one line", async ({ page }) => {
  const editor = new EditorPage(page);
  await editor.openNew();
  await editor.typeText(`name: Typed
agents:
${["planner", "researcher_1", "researcher_2", "researcher_3", "critic", "writer"].map((name) => `  ${name}: { model: "demo:${name}" }`).join("\n")}
swarm:
  type: workflow
  flow: ${line}   # the whole thing
`);
  await expect(page.getByRole("article")).toHaveCount(6);
  await editor.expectFlow(line);
  await editor.flowBar.fill("planner >> (researcher_1 | researcher_2) >> researcher_3 >> critic >> writer");
  await editor.flowBar.press("Enter");
  await expect(editor.text).toContainText(
    "(researcher_1 | researcher_2) >> researcher_3 >> critic >> writer   # the whole thing",
  );
  await editor.saved();
  await page.reload();
  await editor.expectFlow("planner >> (researcher_1 | researcher_2) >> researcher_3 >> critic >> writer");
});

test("a syntax error keeps the canvas, is explained, and is resolved by its fix", async ({ page, api }) => {
  const { id } = await api.createFlow(
    'agents:\n  a: { model: "demo:a" }\n  b: { model: "demo:b" }\nswarm:\n  type: workflow\n  flow: a -> b\n',
  );
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.problems).toContainText("Expected >>");
  await editor.run.click();
  await expect(page.getByRole("dialog", { name: /cannot run/ })).toBeVisible();
  await page.keyboard.press("Escape");
  await editor.problems.getByRole("button", { name: /^Write >>/ }).click();
  await editor.expectFlow("a >> b");
  await expect(page.getByRole("article")).toHaveCount(2);
});

test("without WebSockets a stale save asks the user, and never overwrites silently", async ({ page, context, api }) => {
  await blockWebSockets(context);
  const { id } = await api.createFlow(
    'name: Shared\nagents:\n  a: { model: "demo:a" }\nswarm: { type: workflow, flow: a }\n',
  );
  const other = await context.newPage();
  const [mine, theirs] = [new EditorPage(page), new EditorPage(other)];
  await mine.open(id);
  await theirs.open(id);
  await theirs.rename("a", "theirs");
  await theirs.saved();
  await mine.rename("a", "mine");
  const dialog = page.getByRole("dialog", { name: "This flow was changed elsewhere" });
  await expect(dialog).toBeVisible();
  await expect(dialog.getByRole("region", { name: "Place 1" })).toContainText("theirs");
  await dialog.getByRole("button", { name: "Take theirs" }).click();
  await mine.expectFlow("theirs");
  await mine.saved();
});
