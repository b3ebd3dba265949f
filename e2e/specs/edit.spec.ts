import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

const flow = (line: string, names: string): string =>
  `name: Edits # a note that stays
agents:
${[...names].map((name) => `  ${name}: { model: "demo:writer" }`).join("\n")}
swarm: { type: workflow, flow: ${line} }
`;

test("wraps a selection as parallel, serial and swarm, deletes, and undoes each with one history entry", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("a >> b >> c >> d", "abcd"));
  const editor = new EditorPage(page);
  await editor.open(id);
  const tools = page.getByRole("toolbar", { name: "Canvas tools" });
  const press = (name: string) => tools.getByRole("button", { name, exact: true }).click();

  await editor.select("b", "c");
  await press("Wrap as parallel");
  await editor.expectFlow("a >> (b | c) >> d");
  await editor.select("b", "c");
  await press("Wrap as serial");
  await editor.expectFlow("a >> b >> c >> d");
  await editor.undo.click();
  await editor.expectFlow("a >> (b | c) >> d");

  await editor.select("b", "c");
  await press("Nest as swarm");
  await expect(editor.text).toContainText("swarms:");
  await expect(editor.card("b")).toBeVisible();
  await editor.undo.click();
  await editor.expectFlow("a >> (b | c) >> d");
  await expect(editor.text).not.toContainText("swarms:");

  await editor.select("b");
  await page.keyboard.press("Delete");
  await editor.expectFlow("a >> c >> d");
  await expect(editor.card("b")).toHaveCount(0);
  await expect(editor.text).toContainText("# a note that stays");
  await editor.saved();
  await page.reload();
  await editor.expectFlow("a >> c >> d");
});

test("a drawing that the DSL cannot express is kept, explained, and resolved by one of its fixes", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("(a | b) >> (c | d)", "abcd"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.cut("a", "d");
  await expect(editor.problems).toContainText("waits as a draft");
  await expect(editor.text).toContainText("edges:");
  await editor.saved();
  await page.reload();
  await expect(editor.card("d")).toBeVisible();
  await expect(editor.problems.getByRole("button", { name: "Add a → d", exact: true })).toBeVisible();
  await editor.problems.getByRole("button", { name: /^Remove/ }).click();
  await expect(editor.problems).toContainText("No problems");
  await expect(editor.text).not.toContainText("edges:");
});

test("two tabs show the same live run, the second one with its past events", async ({ page, context, api }) => {
  const { id } = await api.createFlow(flow("a >> b", "ab"));
  const runId = await api.startRun(id, "Looms");
  const other = await context.newPage();
  await Promise.all([page.goto(`/runs/${runId}`), other.goto(`/runs/${runId}`)]);
  for (const tab of [page, other])
    await expect(new RunPage(tab).row("Swarm .+, Succeeded")).toBeVisible({ timeout: 30_000 });
  const rows = (tab: typeof page) => tab.getByRole("treegrid").getByRole("row").allInnerTexts();
  await expect(async () => expect(await rows(other)).toEqual(await rows(page))).toPass({ timeout: 15_000 });
  await other.close();
});
