import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test";
import { EditorPage } from "../pages/editor-page";
import { RunPage } from "../pages/run-page";

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join("\n")}`)).toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const)
  for (const width of [1440, 390]) {
    test.describe(`${colorScheme}, ${width} px`, () => {
      test.use({ colorScheme, viewport: { width, height: 900 } });

      test("axe finds nothing grave on list, editor and run page, and nothing scrolls sideways", async ({
        page,
        api,
      }) => {
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
        const narrow = async (): Promise<void> => {
          expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
        };

        await page.goto("/");
        await expect(page.getByRole("link", { name: "Accessible" }).first()).toBeVisible();
        await expectAccessible(page);
        await narrow();
        await page.goto("/runs");
        await expect(page.getByRole("link", { name: "Runs" }).nth(1)).toBeVisible();
        await expectAccessible(page);
        await narrow();
        const editor = new EditorPage(page);
        await editor.open(id);
        await editor.card("a").click();
        await expectAccessible(page);
        await narrow();
        await new RunPage(page).open(runId);
        await expect(page.getByText("Succeeded").first()).toBeVisible();
        await expectAccessible(page);
        await narrow();
      });
    });
  }
