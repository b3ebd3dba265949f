import { Api } from "../fixtures/api";
import { countTabStops, findViolations } from "../fixtures/expect-accessible";
import { readTemplate } from "../fixtures/template";
import { EditorPage } from "../pages/editor-page";
import { keepBudget, tell } from "./figures";
import { test } from "./test";

for (const colorScheme of ["light", "dark"] as const)
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test("what axe and a walk with Tab find", async ({ app, page }) => {
      const api = new Api(app.url);
      const { id } = await api.createFlow(readTemplate("demo-article", "Article"));
      const run = await api.startRun(id, "Streets");
      await api.waitForRun(run);
      const editor = new EditorPage(page);
      const places: [string, () => Promise<unknown>][] = [
        ["list", () => page.goto("/")],
        ["editor", () => editor.open(id)],
        ["inspector", () => editor.card("critic").click()],
        ["run", () => page.goto(`/runs/${run}`)],
      ];
      for (const [place, go] of places) {
        await go();
        await page.waitForLoadState("networkidle");
        const subject = `${place}, ${colorScheme}`;
        keepBudget(subject, "serious or critical by axe", (await findViolations(page)).length, "", 0);
        const { stops, wrong } = await countTabStops(page);
        tell(subject, "stops of Tab", stops, "");
        keepBudget(subject, "stops without a name, a mark, or a place on the page", wrong.length, "", 0);
      }
    });
  });
