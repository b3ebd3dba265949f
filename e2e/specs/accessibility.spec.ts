import { expectAccessible } from "../fixtures/expect-accessible";
import { readTemplate } from "../fixtures/template";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { FlowsPage } from "../pages/flows-page";
import { QuestionCard } from "../pages/question-card";
import { RunPage } from "../pages/run-page";

test.use({ demoSpeed: 8 });

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("list, editor and run page", async ({ page, api }) => {
      const { id } = await api.createFlow(`name: Accessible
agents:
  a: { model: "demo:a" }
  b: { model: "demo:b", tools: [calculator] }
  spare: { model: "nobody:x" }
groups:
  both: { type: parallel, flow: "a | b" }
swarm: { type: workflow, flow: both }
`);
      const runnable = await api.createFlow('name: Runs\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n');
      const runId = await api.startRun(runnable.id, "Looms");
      await api.waitForRun(runId);

      await page.goto("/");
      await expect(page.getByRole("link", { name: "Accessible" }).first()).toBeVisible();
      await expectAccessible(page);
      await page.goto("/runs");
      await expect(page.getByRole("link", { name: "Runs" }).nth(1)).toBeVisible();
      await expectAccessible(page);
      const editor = new EditorPage(page);
      await editor.open(id);
      await editor.card("a").click();
      await expectAccessible(page);
      await new RunPage(page).open(runId);
      await expect(page.getByText("Succeeded").first()).toBeVisible();
      await expectAccessible(page);
    });

    test("gallery of templates, a handoff swarm that ran, and a branch in the inspector", async ({ page, api }) => {
      const flows = new FlowsPage(page);
      await flows.open();
      await flows.fromTemplate.click();
      await expect(flows.gallery).toBeVisible();
      expect(
        await flows.gallery.getByRole("list").evaluate((list) => list.scrollWidth - list.clientWidth),
      ).toBeLessThanOrEqual(0);
      await expectAccessible(page);

      const handoff = await api.createFlow(readTemplate("handoff", "Hands over"));
      const editor = new EditorPage(page);
      await editor.open(handoff.id);
      await editor.runOn("My invoice is wrong, I want a refund of the payment.");
      await expect(editor.runStatus("Succeeded")).toBeVisible({ timeout: 30_000 });
      await expect(page.getByRole("img", { name: "Handed over once" })).toBeVisible();
      await expectAccessible(page);

      const branch = await api.createFlow(readTemplate("branch", "Branches"));
      await editor.open(branch.id);
      await editor.part("Branch is_refund").getByText("is_refund", { exact: true }).click();
      await expect(page.getByRole("textbox", { name: "Condition" })).toBeVisible();
      await expectAccessible(page);
    });

    test("a pending approval, on the run page and in the editor", async ({ page, api }) => {
      const { id } = await api.createFlow(readTemplate("approval", "Asks"));
      const runId = await api.startRun(id, "Where is my parcel?");
      await api.waitForQuestion(runId);
      await new RunPage(page).open(runId);
      const question = new QuestionCard(page, "check");
      await expect(question.approve).toBeInViewport();
      await expectAccessible(page);
      await new EditorPage(page).open(id);
      await expect(question.approve).toBeInViewport({ ratio: 1 });
      await expect(question.reject).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole("button", { name: "Close the run panel" })).toBeInViewport({ ratio: 1 });
      await expectAccessible(page);
    });
  });
}
