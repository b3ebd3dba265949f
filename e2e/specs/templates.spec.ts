import type { Page } from "@playwright/test";
import { expectAccessible } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { FlowsPage } from "../pages/flows-page";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 8 });

const question = "How can a small city keep its streets cool in summer?";

/** From the gallery to a run that has succeeded, in the editor. */
async function runTemplate(page: Page, template: string, input: string): Promise<EditorPage> {
  const flows = new FlowsPage(page);
  await flows.open();
  await flows.choose(template);
  const editor = new EditorPage(page);
  await expect(editor.problems).toContainText("No problems");
  await editor.runOn(input);
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 30_000 });
  return editor;
}

async function openTimeline(editor: EditorPage): Promise<RunPage> {
  await editor.openTimeline();
  return new RunPage(editor.page);
}

test("handoff: one agent hands over, and the link shows how often", async ({ page }) => {
  const editor = await runTemplate(page, "Handoff", "My invoice is wrong, I want a refund of the payment.");
  await expect(editor.link("triage may hand over to billing")).toHaveCount(1);
  const uses = page.getByRole("img", { name: /^Handed over/ });
  await expect(uses).toHaveCount(1);
  await expect(uses).toHaveText("1×");
  await expect(uses).toHaveAccessibleName("Handed over once");
  await expect(editor.card("billing").getByText("Succeeded")).toBeVisible();
  await expect(editor.card("support").getByText("Succeeded")).toHaveCount(0);
  const run = await openTimeline(editor);
  await expect(run.row("Handoff")).toHaveCount(1);
  await expect(run.row("Agent billing")).toHaveCount(1);
});

test("team: the lead delegates to its workers, which run concurrently", async ({ page }) => {
  const editor = await runTemplate(page, "Team", question);
  await expect(page.getByRole("img", { name: "Called once" })).toHaveCount(2);
  const run = await openTimeline(editor);
  await expect(run.row("Tool call delegate_to_researcher")).toHaveCount(1);
  const bars = await Promise.all(["researcher", "accountant"].map((name) => run.times(run.row(`Agent ${name}`))));
  expect(Math.max(...bars.map((bar) => bar.from))).toBeLessThan(Math.min(...bars.map((bar) => bar.to)));
});

test("orchestrate: the lead spawns agents and waits for them", async ({ page }) => {
  const editor = await runTemplate(page, "Orchestrate", question);
  const run = await openTimeline(editor);
  await expect(run.row("Tool call spawn_agent")).toHaveCount(2);
  await expect(run.row("Tool call await_agents")).toHaveCount(1);
  await expect(run.row("Agent scout")).toHaveCount(1);
  await expect(run.row("Agent counter")).toHaveCount(1);
});

test("branch: one of two lanes runs", async ({ page }) => {
  const editor = await runTemplate(page, "Branch", "May I have a refund?");
  await expect(editor.card("refunds").getByText("Succeeded")).toBeVisible();
  await expect(editor.card("writer").getByText("Succeeded")).toBeVisible();
  await expect(editor.card("answers").getByText("Succeeded")).toHaveCount(0);
  await editor.runOn("When do you open?");
  await expect(editor.card("answers").getByText("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(editor.card("refunds").getByText("Succeeded")).toHaveCount(0);
});

test("router: a model picks one of several lanes", async ({ page }) => {
  const editor = await runTemplate(page, "Router", "There is an error after the install.");
  await expect(editor.card("engineer").getByText("Succeeded")).toBeVisible();
  await expect(editor.card("accounts").getByText("Succeeded")).toHaveCount(0);
  const run = await openTimeline(editor);
  await expect(run.row("Router desk")).toHaveCount(1);
  await expect(run.row("Agent engineer")).toHaveCount(1);
});

test("loop: every round is a step of the timeline", async ({ page }) => {
  const editor = await runTemplate(page, "Loop", question);
  const run = await openTimeline(editor);
  await expect(run.row("Loop refine")).toHaveCount(1);
  await expect(run.row("Round")).toHaveCount(3);
  await expect(run.row("Agent critic")).toHaveCount(3);
});

test("structured output: the parsed value is shown, and a branch uses it", async ({ page }) => {
  const editor = await runTemplate(page, "Structured output", question);
  await expect(editor.card("pager").getByText("Succeeded")).toBeVisible();
  const run = await openTimeline(editor);
  await run.row("Agent extractor").click();
  await run.showTab("Value");
  await expect(run.detail).toContainText('"urgent": true');
});

test("a template by use is found, and tried with one click on simulated models", async ({ page }) => {
  const flows = new FlowsPage(page);
  await flows.open();
  await flows.fromTemplate.click();
  const cards = flows.gallery.getByRole("list", { name: "Templates" }).getByRole("listitem");
  await expect(cards).toHaveCount(9);
  await expectAccessible(page);
  await flows.gallery.getByRole("button", { name: /^Support/ }).click();
  await expect(cards).toHaveCount(3);
  await flows.gallery.getByRole("button", { name: /^All/ }).click();
  await flows.gallery.getByRole("searchbox", { name: "Search templates" }).fill("critic report");
  await expect(cards).toHaveCount(1);
  await flows.gallery.getByRole("button", { name: "Try it: Research report" }).click();
  await page.waitForURL(/\/flows\/.+run=/);
  const editor = new EditorPage(page);
  await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole("textbox", { name: "Flow name" })).toHaveValue("Research report");
});

test("the gallery has its size before the templates arrive", async ({ page }) => {
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route("**/api/v1/templates", async (route) => {
    await arrived;
    await route.continue();
  });
  const flows = new FlowsPage(page);
  await flows.open();
  await flows.fromTemplate.click();
  await expect(flows.gallery.getByText("Loading templates")).toBeVisible();
  const before = await flows.gallery.boundingBox();
  const [placeholder] = await flows.gallery.getByRole("status").locator("[aria-hidden]").all();
  const first = await placeholder?.boundingBox();
  arrive();
  const cards = flows.gallery.getByRole("list", { name: "Templates" }).getByRole("listitem");
  await expect(cards.first()).toBeVisible();
  expect(await flows.gallery.boundingBox()).toEqual(before);
  expect(await cards.first().boundingBox()).toEqual(first);
});

test("a search without a hit says so, and one click shows all templates again", async ({ page }) => {
  const flows = new FlowsPage(page);
  await flows.open();
  await flows.fromTemplate.click();
  const cards = flows.gallery.getByRole("list", { name: "Templates" }).getByRole("listitem");
  await expect(cards).toHaveCount(9);
  const before = await flows.gallery.boundingBox();
  await flows.gallery.getByRole("button", { name: /^Support/ }).click();
  await flows.gallery.getByRole("searchbox").fill("no such template");
  await expect(flows.gallery.getByRole("heading", { name: "No template matches" })).toBeVisible();
  expect(await flows.gallery.boundingBox()).toEqual(before);
  await expectAccessible(page);
  await flows.gallery.getByRole("button", { name: "Clear search" }).click();
  await expect(cards).toHaveCount(9);
});
