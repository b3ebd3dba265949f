import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunListPage } from "../pages/run-list-page";
import { RunPage } from "../pages/run-page";

const source = `name: Cut short
agents:
  storyteller: { model: "openai:terse", max_tokens: 5 }
swarm: { flow: storyteller }
`;

test("a truncated answer is a warning in the list, in the header, on the step and in the editor", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(source);
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("Tell me of looms");
  await expect(editor.runStatus("Succeeded")).toBeVisible();
  await expect(editor.runPanel.getByText("1 warning", { exact: true })).toBeVisible();
  await expect(editor.runSteps.getByRole("button", { name: /^storyteller Has a warning Succeeded/ })).toBeVisible();
  await expectAccessible(page);

  const list = new RunListPage(page);
  await list.open({ flow: id });
  await expect(list.rows.first()).toContainText("Succeeded");
  await expect(list.rows.first().getByText("1 warning", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await list.rows.first().getByRole("link").click();

  const run = new RunPage(page);
  await expect(run.status("1 warning")).toBeVisible();
  await expect(run.row("Agent storyteller, Succeeded, a descendant has a warning")).toBeVisible();
  await expect(run.row("Model call openai:terse, Succeeded, 1 warning")).toBeVisible();
  const warnings = page.getByRole("region", { name: "Warnings" });
  await expect(warnings).toContainText("Answer truncated. The answer reached the limit of output tokens");
  await warnings.getByRole("button", { name: "storyteller#llm-1" }).click();
  await expect(run.detail.getByRole("heading", { name: "openai:terse" })).toBeVisible();
  await expect(run.detail.getByText("1 warning", { exact: true })).toBeVisible();
  await expect(run.detail).toContainText('Raise max_tokens of "storyteller", which is 5');
  await run.showTab("Notes");
  await expect(run.panel).toContainText("(answer-cut)");
  await expectAccessible(page);
});
