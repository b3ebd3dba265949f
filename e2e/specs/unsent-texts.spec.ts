import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { QuestionCard } from "../pages/question-card";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 200, longestAnswer: 25 });

test("an edited text and a reason survive a reload, and an answer that someone else gave", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Written answers"));
  const runId = await api.startRun(id, "Where is my parcel?");
  const { node, question: number } = await api.waitForQuestion(runId);
  await new RunPage(page).open(runId);
  const question = new QuestionCard(page, "check");
  await question.text.fill("It left the house on Monday.");
  await question.reason.fill("Too short.");
  await page.reload();
  await expect(question.text).toHaveValue("It left the house on Monday.");
  await expect(question.reason).toHaveValue("Too short.");
  await question.text.focus();
  await api.answer(runId, { node, question: number }, { decision: "approved" });
  const written = page.getByRole("article", { name: "What you wrote for check" });
  await expect(written).toBeFocused();
  await expect(written).toContainText("You approved this. What you wrote was not sent.");
  await expect(written).toContainText("It left the house on Monday.");
  await expect(question.card).toHaveCount(0);
  await written.getByRole("button", { name: "Dismiss" }).click();
  await expect(written).toHaveCount(0);
  await page.reload();
  await expect(new RunPage(page).status("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(written).toHaveCount(0);
});

test("the input of a run survives a reload before it is run", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Written input"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.input.fill("Where is my second parcel?");
  await page.reload();
  await expect(editor.input).toHaveValue("Where is my second parcel?");
});

test("what is written for a run with changes is there when its dialog is opened again", async ({ page, api }) => {
  const { id } = await api.createFlow('agents:\n  writer: { model: "demo:writer" }\nswarm: { flow: writer }\n');
  const runId = await api.startRun(id, "Weave a carpet.");
  await api.waitForRun(runId);
  const run = new RunPage(page);
  await run.open(runId);
  await run.row("Agent writer").click();
  const open = page.getByRole("button", { name: "Run from here with changes…" });
  const dialog = page.getByRole("dialog", { name: 'Run from "writer"' });
  const input = dialog.getByLabel("Input");
  await open.click();
  await input.fill("Knot a net.");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await open.click();
  await expect(input).toHaveValue("Knot a net.");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await open.click();
  await expect(input).toHaveValue("Weave a carpet.");
});

test("a comment that is not sent survives a reload, and is gone when it is sent", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Written comment"));
  const editor = new EditorPage(page);
  const field = page.getByRole("textbox", { name: "Write a comment" });
  const open = async (): Promise<void> => {
    await editor.open(id);
    await page.getByRole("tab", { name: "Comments" }).click();
  };
  await open();
  await field.fill("Should Knut look at this?");
  await open();
  await expect(field).toHaveValue("Should Knut look at this?");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await expect(page.getByRole("article", { name: "Comment of You" })).toContainText("Should Knut look at this?");
  await open();
  await expect(page.getByRole("article", { name: "Comment of You" })).toContainText("Should Knut look at this?");
  await expect(field).toHaveValue("");
});
