import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { tabTo } from "../fixtures/tab-to";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { QuestionCard } from "../pages/question-card";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 8 });

const clerk = `name: Clerk
agents:
  clerk:
    model: "demo:assistant"
    instructions: "Work out the sum: 2 * 3."
    tools: [calculator]
    needs_approval: [calculator]
swarm: { type: workflow, flow: clerk }
`;

test("the run list, the run page and the editor show that a run waits for a user", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Waits everywhere"));
  const runId = await api.startRun(id, "Where is my parcel?");
  await api.waitForQuestion(runId);
  await page.goto("/runs");
  await expect(page.getByRole("listitem").filter({ hasText: "Waits everywhere" }).getByText("Waiting")).toBeVisible();
  const run = new RunPage(page);
  await run.open(runId);
  await expect(run.status("Waiting")).toBeVisible();
  await expect(page.getByRole("gridcell", { name: /^Swarm .+, Waiting$/ })).toBeVisible();
  await expect(new QuestionCard(page, "check").card).toContainText("Send this reply to the customer?");
  const editor = new EditorPage(page);
  await editor.open(id);
  await expect(editor.runStatus("Waiting")).toBeVisible();
  await expect(editor.part("Approval check").getByText("Waiting")).toBeVisible();
});

test("by keyboard alone: an edited text is approved and passed on, and the step stores who approved it and when", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(readTemplate("approval", "By keyboard"));
  const runId = await api.startRun(id, "Where is my parcel?");
  await api.waitForQuestion(runId);
  const run = new RunPage(page);
  await run.open(runId);
  const question = new QuestionCard(page, "check");
  await expect(question.text).toHaveValue(/parcel/);
  await tabTo(question.text);
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("It left the house on Monday.");
  await tabTo(question.approve);
  await page.keyboard.press("Enter");
  await expect(run.status("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(question.card).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "By keyboard" })).toBeFocused();

  const { state } = await api.getRun(runId);
  expect(state.nodes.find(({ name }) => name === "sender")?.input.text).toBe("It left the house on Monday.");
  await run.row("Approval check").click();
  await run.showTab("Notes");
  await expect(run.detail).toContainText("Send this reply to the customer?");
  await expect(run.detail).toContainText(/You approved after .+, at \d+ \w+ \d{4} \d\d:\d\d:\d\d UTC/);
  await expect(run.detail.getByText("It left the house on Monday.")).toBeVisible();
});

test("invisible characters are shown with their code points before a user approves the text", async ({ page, api }) => {
  const source = `name: Hidden
agents:
  a: { model: "demo:writer" }
approvals:
  check: { message: "May \u202ethis\u200b go on?" }
swarm: { type: workflow, flow: check >> a }
`;
  const { id } = await api.createFlow(source);
  const runId = await api.startRun(id, "open gpj.\u202eexe");
  await api.waitForQuestion(runId);
  await new RunPage(page).open(runId);
  const question = new QuestionCard(page, "check");
  await expect(question.card).toContainText("May ⟨U+202E⟩this⟨U+200B⟩ go on?");
  await expect(question.note).toHaveText(
    /invisible characters; with their code points it reads: open gpj\.⟨U\+202E⟩exe$/,
  );
  await question.text.fill("open exe.jpg");
  await expect(question.note).toHaveCount(0);
});

test("rejected in the editor: the run fails with the reason", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Rejected"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runOn("Where is my parcel?");
  const question = new QuestionCard(page, "check");
  await question.reason.fill("It sounds rude.");
  await question.reject.click();
  await expect(editor.runStatus("Failed")).toBeVisible();
  await expect(editor.runPanel.getByRole("alert")).toContainText('You rejected "check": It sounds rude.');
  await expect(editor.part("Approval check").getByText("Failed")).toBeVisible();
  await expect(editor.card("sender").getByText("Succeeded")).toHaveCount(0);
});

test("the first of two answers counts, and the second tab is informed", async ({ page, context, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Two tabs"));
  const runId = await api.startRun(id, "Where is my parcel?");
  await api.waitForQuestion(runId);
  const other = await context.newPage();
  await other.route("**/trace?*", (route) => route.abort());
  const open = async (tab: Page): Promise<QuestionCard> => {
    await new RunPage(tab).open(runId);
    const question = new QuestionCard(tab, "check");
    await expect(question.approve).toBeVisible();
    return question;
  };
  const [first, late] = [await open(page), await open(other)];
  await first.approve.click();
  await expect(new RunPage(page).status("Succeeded")).toBeVisible({ timeout: 30_000 });
  await late.reject.click();
  await expect(other.getByText('"check" does not wait for this answer: it was given already')).toBeVisible();
  expect((await api.getRun(runId)).status).toBe("SUCCESS");
  await other.close();
});

test("a waiting run can be cancelled", async ({ page, api }) => {
  const { id } = await api.createFlow(readTemplate("approval", "Cancelled while it waits"));
  const runId = await api.startRun(id, "Where is my parcel?");
  await api.waitForQuestion(runId);
  const run = new RunPage(page);
  await run.open(runId);
  await run.cancel.click();
  await expect(run.status("Cancelled")).toBeVisible();
  await expect(new QuestionCard(page, "check").card).toHaveCount(0);
  expect((await api.getRun(runId)).status).toBe("CANCELLED");
});

test("a tool that needs approval waits, and runs with the approved arguments", async ({ page, api }) => {
  const { id } = await api.createFlow(clerk);
  const runId = await api.startRun(id, "Go");
  await api.waitForQuestion(runId);
  const run = new RunPage(page);
  await run.open(runId);
  const question = new QuestionCard(page, "calculator");
  await expect(question.card).toContainText('"clerk" wants to use calculator.');
  const expression = question.card.getByRole("textbox", { name: /^expression/ });
  await expect(expression).toHaveValue("2 * 3");
  await expression.fill("");
  await question.approve.click();
  await expect(expression).toHaveAccessibleDescription(/expression must not be empty/);
  await expectAccessible(page);
  await expression.fill("20 * 3");
  await question.approve.click();
  await expect(run.status("Succeeded")).toBeVisible({ timeout: 30_000 });
  await run.row("Tool call calculator").click();
  await expect(run.detail).toContainText("60");
  await run.showTab("Arguments");
  await expect(run.detail).toContainText("20 * 3");
  await expect(run.detail).not.toContainText("2 * 3");
  await run.showTab("Notes");
  await expect(run.detail).toContainText('{"expression":"20 * 3"}');
});

test("answers through the API: 404 for unknown steps, 409 for closed questions, 400 for invalid answers", async ({
  api,
  app,
}) => {
  const { id } = await api.createFlow(readTemplate("approval", "By API"));
  const runId = await api.startRun(id, "Where is my parcel?");
  const { node, question } = await api.waitForQuestion(runId);
  const answer = (run: string, step: number | string, body: object): Promise<Response> =>
    post(`${app.url}/api/v1/runs/${run}/nodes/${step}/answer`, body);
  const yes = { question, decision: "approved" };
  await expectRefusal(404, answer("nobody", node, yes));
  await expectRefusal(404, answer(runId, 999, yes));
  await expectRefusal(404, answer(runId, "first", yes));
  await expectRefusal(409, answer(runId, node, { ...yes, question: question + 1 }));
  await expectRefusal(409, answer(runId, 1, yes));
  await expectRefusal(400, answer(runId, node, { question }));
  await expectRefusal(400, answer(runId, node, { ...yes, decision: "maybe" }));
  await expectRefusal(400, answer(runId, node, { ...yes, by: "somebody else" }));
  await expectRefusal(400, answer(runId, node, { ...yes, question: "1" }));
  expect((await answer(runId, node, yes)).status).toBe(204);
  await expectRefusal(409, answer(runId, node, yes));
  expect((await api.waitForRun(runId)).status).toBe("SUCCESS");
  await expectRefusal(409, answer(runId, node, yes));
});

test("messages through the API reach a running agent before its next model call", async ({ api, app }) => {
  const { id } = await api.createFlow(clerk);
  const runId = await api.startRun(id, "Go");
  const { node, question } = await api.waitForQuestion(runId);
  const tell = (run: string, body: object): Promise<Response> => post(`${app.url}/api/v1/runs/${run}/messages`, body);
  await expectRefusal(400, tell(runId, { agent: "clerk", text: "  " }));
  await expectRefusal(400, tell(runId, { agent: "", text: "Hurry" }));
  await expectRefusal(404, tell("nobody", { agent: "clerk", text: "Hurry" }));
  expect((await tell(runId, { agent: "clerk", text: "Say it in Latin." })).status).toBe(202);
  await post(`${app.url}/api/v1/runs/${runId}/nodes/${node}/answer`, { question, decision: "approved" });
  const toldIn = async (): Promise<boolean[]> => {
    const { state } = await api.getRun(runId);
    const calls = state.nodes.filter(({ kind }) => kind === "llm_call");
    return calls.map(({ input }) => input.text.includes("Say it in Latin."));
  };
  await expect.poll(toldIn).toEqual([false, true]);
  await post(`${app.url}/api/v1/runs/${runId}/cancel`, {});
  expect((await api.waitForRun(runId)).status).toBe("CANCELLED");
  await expectRefusal(409, tell(runId, { agent: "clerk", text: "Too late" }));
});

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });

async function expectRefusal(status: number, pending: Promise<Response>): Promise<void> {
  const answer = await pending;
  const body: unknown = await answer.json();
  expect(answer.status, JSON.stringify(body)).toBe(status);
  expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.stringMatching(/\.$/) } });
}
