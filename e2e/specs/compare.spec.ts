import type { Locator } from "@playwright/test";
import type { Api } from "../fixtures/api";
import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { ComparePage } from "../pages/compare-page";

test.use({ demoSpeed: 200 });

const source = (name: string): string => `name: ${name}
agents:
  a: { model: "demo:writer" }
  b: { model: "demo:critic" }
  c: { model: "demo:writer" }
swarm: { type: workflow, flow: a >> b }
`;

/** Two runs on one input, and a third on another one after `c` was added to the flow. */
async function makeRuns(api: Api, name: string): Promise<[string, string, string]> {
  const { id } = await api.createFlow(source(name));
  const [first, again] = [await api.startRun(id, "Tell me of looms"), await api.startRun(id, "Tell me of looms")];
  await Promise.all([api.waitForRun(first), api.waitForRun(again)]);
  await api.changeFlow(id, (text) => text.replace("a >> b", "a >> b >> c"));
  const other = await api.startRun(id, "Tell me of boats");
  await api.waitForRun(other);
  return [first, again, other];
}

test("the same flow on the same input: the same revision, and no step differs", async ({ page, api }) => {
  const [first, again] = await makeRuns(api, "Twice the same");
  const compare = new ComparePage(page);
  await compare.open([first, again]);
  await expect(compare.flow).toContainText("Same revision");
  await expect(page.getByText("steps, no difference but in time")).toBeVisible();
  await expect(compare.output).toContainText("A and B gave the same output.");
  await expect(compare.figures("Input")).toContainText("same");
  await expect(compare.onlyDifferences).toBeDisabled();
});

test("another revision and input: changed lines, changed words, and steps that only one run has", async ({
  page,
  api,
}) => {
  const [first, , other] = await makeRuns(api, "Changed");
  const compare = new ComparePage(page);
  await compare.open([first, other]);
  await expect(compare.flow).toContainText("-swarm: { type: workflow, flow: a >> b }");
  await expect(compare.flow).toContainText("+swarm: { type: workflow, flow: a >> b >> c }");
  await expect(compare.figures("Input")).toContainText("differs");
  await expect(compare.output.getByRole("deletion").filter({ hasText: "looms" }).first()).toBeVisible();
  await expect(compare.output.getByRole("insertion").filter({ hasText: "boats" }).first()).toBeVisible();
  await expect(compare.row("Agent c")).toContainText("only in B");
  await compare.row("Agent c").click();
  await expect(compare.stepOutput).toContainText("Only B has this step.");
  await compare.row("Agent a").click();
  await expect(compare.stepOutput.getByRole("insertion").filter({ hasText: "boats" }).first()).toBeVisible();

  const address = page.url();
  await page.goto("/");
  await page.goto(address);
  await expect(compare.row("Agent a")).toHaveAttribute("aria-selected", "true");
  await expect(compare.stepOutput.getByRole("insertion").filter({ hasText: "boats" }).first()).toBeVisible();
});

test("by keyboard: n and N walk the differences, arrows the rows; only differences can be shown", async ({
  page,
  api,
}) => {
  const [first, , other] = await makeRuns(api, "Walked");
  const compare = new ComparePage(page);
  await compare.open([first, other]);
  await compare.steps.focus();
  await page.keyboard.press("End");
  await expect(compare.steps.getByRole("row").last()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Home");
  await expect(compare.row("Swarm")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("n");
  await expect(compare.row("Agent a")).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Shift+N");
  await expect(compare.row("Agent a")).toHaveAttribute("aria-selected", "true");
  await expect(compare.stepOutput).toBeVisible();
  await compare.onlyDifferences.press("Enter");
  await expect(compare.onlyDifferences).toHaveAttribute("aria-pressed", "true");
  await expect(compare.row("Agent c")).toBeVisible();
});

test("five runs: the run to compare with the base can be chosen, and is in the URL", async ({ page, api }) => {
  const [first, again, other] = await makeRuns(api, "Five");
  const { id } = await api.createFlow(source("Elsewhere"));
  const more = [await api.startRun(id, "x"), await api.startRun(id, "y")];
  await Promise.all(more.map((run) => api.waitForRun(run)));
  const compare = new ComparePage(page);
  await compare.open([first, again, other, ...more]);
  await expect(compare.steps.getByRole("columnheader")).toHaveText(["Step", "A (base)", "B", "C", "D", "E"]);
  await expect(compare.flow).toContainText("Same revision");
  await page.getByRole("button", { name: "C", exact: true }).click();
  await expect(compare.flow).toContainText("a >> b >> c");
  await expect(page).toHaveURL(/with=2/);
  await page.reload();
  await expect(page.getByRole("button", { name: "C", exact: true })).toHaveAttribute("aria-pressed", "true");
});

test("runs that cannot be compared: too few, too many, unknown", async ({ page, api, app }) => {
  const [first, again] = await makeRuns(api, "Refused");
  const compare = new ComparePage(page);
  const heading = page.getByRole("heading", { name: "These runs cannot be compared" });
  const cases: [runs: string[], why: string][] = [
    [[], "names 0"],
    [[first, first], "names 1"],
    [["1", "2", "3", "4", "5", "6", "7"], "names 7"],
    [[first, "nobody"], "Only 1 of the 2 runs can be found"],
  ];
  for (const [runs, why] of cases) {
    await compare.open(runs);
    await expect(heading).toBeVisible();
    await expect(page.getByText(why)).toBeVisible();
  }
  await expectAccessible(page);
  const status = async (runs: string): Promise<number> =>
    (await fetch(`${app.url}/api/v1/runs/compare?runs=${runs}`)).status;
  expect([await status(first), await status(`${first},nobody`), await status(`${first},${again}`)]).toEqual([
    400, 404, 200,
  ]);
});

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is accessible", async ({ page, api }) => {
      const runs = await makeRuns(api, "Seen by all");
      const compare = new ComparePage(page);
      await compare.open(runs);
      await page.getByRole("button", { name: "C", exact: true }).click();
      await expect(compare.output.getByRole("region", { name: "Output of C" })).toBeVisible();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Word by word" }).click();
      await expect(compare.output.getByRole("insertion").first()).toBeVisible();
      await compare.row("Agent a").click();
      await expect(compare.stepOutput.getByRole("insertion").first()).toBeVisible();
      await expectAccessible(page);
      await page.reload();
      await expect(compare.output.getByRole("insertion").first()).toBeVisible();
      await expectTabStops(page, 12);
    });

    test("the figures and the steps of a run are in the same column", async ({ page, api }) => {
      const runs = await makeRuns(api, "In columns");
      const compare = new ComparePage(page);
      const headersOf = (table: Locator): Promise<number[]> =>
        table
          .getByRole("columnheader")
          .evaluateAll((headers) => headers.map((header) => header.getBoundingClientRect().left));
      for (const compared of [runs.slice(1), runs]) {
        await compare.open(compared);
        await expect(compare.steps).toBeVisible();
        const [, ...steps] = await headersOf(compare.steps);
        expect(await headersOf(compare.runs)).toEqual(steps);
      }
    });
  });
}

test.describe("390 px", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("both runs fit", async ({ page, api }) => {
    const [first, , other] = await makeRuns(api, "On a phone");
    const compare = new ComparePage(page);
    await compare.open([first, other]);
    for (const table of [compare.runs, compare.steps]) {
      await expect(table).toBeVisible();
      expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    }
  });
});
