import { expectAccessible } from "../fixtures/expect-accessible";
import { expectCanvasContrast, expectFieldContrast, expectFocusContrast } from "../fixtures/non-text-contrast";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { QuestionCard } from "../pages/question-card";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 20, isTextOpen: false });

test("the editor with an inspector, and the dialog that changes the mode", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("demo-article", "Contrasts"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await expectCanvasContrast(page);
  await editor.card("researcher_2").click();
  await expect(editor.name).toHaveValue("researcher_2");
  await expectFieldContrast(page, "body", 4);
  await expectFocusContrast(page, 8);

  await editor.fit.click();
  await page.locator(".react-flow__pane").click({ position: { x: 400, y: 20 } });
  await editor.membersWorkAs.selectOption("Handoff");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Apply" })).toBeVisible();
  await expectAccessible(page);
  await expectFocusContrast(page, 3);
  await dialog.getByRole("button", { name: "Apply" }).click();
  await expect(editor.link("critic may hand over to writer")).toBeAttached();
  await expectCanvasContrast(page);
});

test("the trash and the dialog that deletes for good", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("chain", "Deleted for good"));
  const answer = await page.request.delete(`/api/v1/flows/${id}`);
  expect(answer.ok()).toBe(true);
  await page.goto("/");
  await expectFieldContrast(page, "main", 1);
  await page.getByRole("button", { name: "Trash", exact: true }).click();
  const trash = page.getByRole("dialog", { name: "Trash" });
  await expect(trash.getByText("Deleted for good")).toBeVisible();
  await expectAccessible(page);
  await trash.getByRole("button", { name: "Delete Deleted for good for good" }).click();
  await expect(trash.getByRole("button", { name: "Delete for good", exact: true })).toBeVisible();
  await expectAccessible(page);
  await expectFocusContrast(page, 3);
});

test("a run that waits for a person, in the editor and on its page", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Waits"));
  const runId = await api.startRun(id, "Where is my parcel?");
  await api.waitForQuestion(runId);
  const question = new QuestionCard(page, "check");
  await new RunPage(page).open(runId);
  await expect(question.approve).toBeInViewport();
  await expectFieldContrast(page, "article", 2);
  await expectFocusContrast(page, 8);
  await page.goto(`/flows/${id}?run=${runId}`);
  await expect(question.approve).toBeInViewport();
  await expectCanvasContrast(page);
  await expectFieldContrast(page, "body", 3);
  await expectFocusContrast(page, 8);
});

for (const [title, address, count] of [
  ["list of runs", "/runs", 5],
  ["settings", "/settings/runs", 1],
] as const)
  test(`the fields of the ${title}`, async ({ page, api }) => {
    // The list of runs has no fields before the first run.
    const { id } = await api.createFlow(readTemplate("hello", "Listed"));
    await api.waitForRun(await api.startRun(id, "Say hello."));
    await page.goto(address);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectFieldContrast(page, "main", count);
    await expectAccessible(page);
  });
