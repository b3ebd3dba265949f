import { readFile } from "node:fs/promises";
import { expectAccessible, expectTabStops } from "../fixtures/expect-accessible";
import { expect, test } from "../fixtures/test";
import { RunListPage } from "../pages/run-list-page";

test.use({ demoSpeed: 200 });

const flow = (name: string, model = "demo:writer"): string =>
  `name: ${name}\nagents: { a: { model: "${model}", max_retries: 0 } }\nswarm: { flow: a }\n`;

test("filters are in the URL, and the URL restores the same view", async ({ page, api }) => {
  const [looms, boats] = [await api.createFlow(flow("Looms")), await api.createFlow(flow("Boats", "demo:critic"))];
  await api.waitForRun(await api.startRun(looms.id, "How many THREADS?"));
  await api.waitForRun(await api.startRun(boats.id, "How many sails? demo: error 500"));
  const list = new RunListPage(page);
  await list.open();
  await list.filter("Flow").selectOption("Boats");
  await expect(list.rows).toHaveCount(1);
  await list.filter("Status").selectOption("Failed");
  await list.filter("Error").selectOption("Provider");
  await list.filter("Model").selectOption("demo:critic");
  await list.filter("Time").selectOption("Last hour");
  const said = { flow: boats.id, status: "FAILED", error: "server", model: "demo:critic", since: "1h" };
  await expect.poll(() => Object.fromEntries(new URL(page.url()).searchParams)).toEqual(said);
  await expect(list.rows).toHaveCount(1);
  await expect(list.figure("Runs")).toHaveText("1");
  const address = page.url();

  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(list.rows.filter({ hasText: "Looms" }).first()).toBeVisible();
  await page.goto(address);
  await expect(list.rows).toHaveCount(1);
  await expect(list.rows).toContainText("Boats");
  await expect(list.filter("Error")).toHaveValue("server");
  await list.filter("Status").selectOption("Succeeded");
  await expect(page.getByRole("heading", { name: "No run matches" })).toBeVisible();
});

test("searches inputs and outputs while typing; Escape clears the search", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Searched"));
  await api.waitForRun(await api.startRun(id, "Of NEEDLES and hay"));
  await api.waitForRun(await api.startRun(id, "Of something else"));
  const list = new RunListPage(page);
  await list.open({ flow: id });
  await expect(list.rows).toHaveCount(2);
  await list.search.fill("hay needles");
  await expect(list.rows).toHaveCount(1);
  await expect(page).toHaveURL(/q=hay\+needles/);
  await expect(list.figure("Runs")).toHaveText("1");
  await list.search.press("Escape");
  await expect(list.rows).toHaveCount(2);
  await expect(page).not.toHaveURL(/q=/);
  await expect(list.search).toBeFocused();
});

test("invalid filters in the URL are ignored", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Lenient"));
  await api.waitForRun(await api.startRun(id, "x"));
  const list = new RunListPage(page);
  await list.open({ flow: id, status: "GONE", since: "2y", costFrom: "a", from: "soon", before: "nonsense" });
  await expect(list.rows).toHaveCount(1);
  await expect(list.filter("Status")).toHaveValue("");
});

test("cost and custom time ranges: fields show how they were understood, and report invalid values", async ({
  page,
  api,
}) => {
  const { id } = await api.createFlow(flow("Costs nothing"));
  await api.waitForRun(await api.startRun(id, "x"));
  const list = new RunListPage(page);
  await list.open({ flow: id });
  const least = page.getByRole("textbox", { name: "Cost from, US dollars" });
  await least.fill("dear");
  await least.press("Enter");
  await expect(least).toHaveJSProperty("validity.valid", false);
  await least.fill("0.01");
  await least.press("Enter");
  await expect(page.getByRole("heading", { name: "No run matches" })).toBeVisible();
  await least.fill("");
  await least.press("Enter");
  await expect(list.rows).toHaveCount(1);
  await list.filter("Time").selectOption("From … to …");
  await page.getByLabel("Started before").fill("2020-01-01T00:00");
  await page.getByLabel("Started before").press("Enter");
  await expect(page).toHaveURL(/to=20(19|20)-/);
  await expect(page.getByRole("heading", { name: "No run matches" })).toBeVisible();
});

test("totals and charts by day, with an equivalent table", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Summed"));
  await api.waitForRun(await api.startRun(id, "x"));
  await api.waitForRun(await api.startRun(id, "demo: error 500"));
  const list = new RunListPage(page);
  await list.open({ flow: id });
  await expect(list.figure("Runs")).toHaveText("2");
  await expect(list.figure("Failure rate")).toHaveText("50 %1 failed");
  await expect(list.figure("Cost")).toHaveText("$0");
  await expect(page.locator(".recharts-surface")).toHaveCount(0);
  const firstRow = await list.rows.first().boundingBox();
  expect(firstRow?.y).toBeLessThan(300);
  await page.getByRole("button", { name: "By day" }).click();
  await expect(page.locator(".recharts-surface")).toHaveCount(2);
  await expect(list.totals.locator("figcaption").filter({ hasText: "Cost" })).toHaveCount(0);
  await expect(list.dayTable.getByRole("row")).toHaveCount(2);
  await expect(list.dayTable.getByRole("row").last()).toContainText("50 %");
  await page.getByRole("button", { name: "As a table" }).click();
  await expect(page.locator(".recharts-surface")).toHaveCount(0);
  await expect(list.dayTable).toBeVisible();
});

test("selects up to six runs by keyboard and compares them", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Chosen"));
  const runs = [];
  for (let i = 0; i < 7; i++) runs.push(await api.startRun(id, `Question ${i}`));
  await Promise.all(runs.map((run) => api.waitForRun(run)));
  const list = new RunListPage(page);
  await list.open({ flow: id });
  await list.box(list.rows.nth(0)).focus();
  await page.keyboard.press("Space");
  await expect(page.getByText("1 run chosen: choose one more to compare")).toBeVisible();
  await expect(list.compare).toHaveCount(0);
  for (let i = 1; i < 6; i++) await list.box(list.rows.nth(i)).check();
  await expect(page.getByText("6 runs chosen, which is the most")).toBeVisible();
  await expect(list.box(list.rows.nth(6))).toBeDisabled();
  // Oldest first: a later run is compared with an earlier one.
  await expect(list.compare).toHaveAttribute("href", `/runs/compare?runs=${runs.slice(1).join()}`);
  await page.getByRole("button", { name: "Clear", exact: true }).click();
  await expect(list.box(list.rows.nth(6))).toBeEnabled();
});

test("exports the filtered runs as CSV", async ({ page, api }) => {
  const { id } = await api.createFlow(flow("Exported"));
  await api.waitForRun(await api.startRun(id, '=HYPERLINK("http://evil.example","x")'));
  const list = new RunListPage(page);
  await list.open({ flow: id });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "CSV" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("runs.csv");
  const text = await readFile(await download.path(), "utf8");
  expect(text.startsWith("\uFEFFrun,flow,")).toBe(true);
  expect(text.split("\r\n").filter((line) => line.includes(",Exported,"))).toHaveLength(1);
  expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""x"")"`);
});

test("through the API: the same filters, pages, and clear errors", async ({ api, app }) => {
  const { id } = await api.createFlow(flow("By API"));
  const runs = [];
  for (let i = 0; i < 3; i++) runs.push(await api.startRun(id, `Question ${i}`));
  await Promise.all(runs.map((run) => api.waitForRun(run)));
  const get = (path: string): Promise<Response> => fetch(`${app.url}/api/v1/runs${path}`);
  const first = await (await get(`?flow=${id}&limit=2`)).json();
  expect(first.runs.map((run: { id: string }) => run.id)).toEqual([runs[2], runs[1]]);
  const second = await (await get(`?flowId=${id}&limit=2&before=${encodeURIComponent(first.next)}`)).json();
  expect(second).toMatchObject({ runs: [{ id: runs[0], startedBy: "You" }], next: null });
  const sums = await (await get(`/summary?flow=${id}&zone=Pacific/Auckland`)).json();
  expect(sums).toMatchObject({ totals: { runs: 3, byStatus: { SUCCESS: 3 } }, days: [{ runs: 3 }] });
  for (const path of [
    "?status=GONE",
    "?costFrom=-1",
    "?before=x",
    "/summary?zone=Middle/Earth",
    "/export.csv?since=2y",
  ]) {
    const answer = await get(path);
    expect(answer.status, path).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: "bad_request", message: expect.any(String) } });
  }
});

for (const width of [1440, 390]) {
  test.describe(`${width} px`, () => {
    test.use({ viewport: { width, height: 900 } });

    test("is accessible: filtered, with a selection, and empty", async ({ page, api }) => {
      const { id } = await api.createFlow(flow("Seen by all"));
      await api.waitForRun(await api.startRun(id, "x"));
      const list = new RunListPage(page);
      await list.open({ flow: id });
      await expect(list.figure("Runs")).toHaveText("1");
      await expectTabStops(page, 8);
      await list.box(list.rows.first()).check();
      await expectAccessible(page);
      await list.open({ flow: id, q: "nowhere" });
      await expect(page.getByRole("heading", { name: "No run matches" })).toBeVisible();
      await expectAccessible(page);
    });
  });
}

test.describe("390 px", () => {
  test.use({ viewport: { width: 390, height: 800 } });

  test("the filters are in a sheet, and the charts load on demand", async ({ page, api }) => {
    const { id } = await api.createFlow(flow("Narrow"));
    await api.waitForRun(await api.startRun(id, "x"));
    const list = new RunListPage(page);
    await list.open({ flow: id });
    await page.getByRole("button", { name: "Filters (1)" }).click();
    const sheet = page.getByRole("dialog", { name: "Filters" });
    await sheet.getByRole("combobox", { name: "Status" }).selectOption("Succeeded");
    await expect(page).toHaveURL(/status=SUCCESS/);
    await expectAccessible(page);
    await sheet.getByRole("button", { name: "Show the runs" }).click();
    await expect(sheet).toHaveCount(0);
    await expect(list.rows).toHaveCount(1);
    await expect(page.locator(".recharts-surface")).toHaveCount(0);
    await page.getByRole("button", { name: "By day" }).click();
    await expect(page.locator(".recharts-surface").first()).toBeVisible();
  });

  test("the names of the totals are whole", async ({ page, api }) => {
    const { id } = await api.createFlow(flow("Summed up"));
    await api.waitForRun(await api.startRun(id, "x"));
    const list = new RunListPage(page);
    await list.open({ flow: id });
    await expect(list.figure("Runs")).toHaveText("1");
    const room = await list.totals
      .getByRole("term")
      .evaluateAll((names) => names.map((name) => name.clientWidth - name.scrollWidth));
    expect(room).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

test("the statuses are in one column", async ({ page, api }) => {
  const names = ["Column", "Column of a flow with a much longer name"];
  for (const name of names) {
    const { id } = await api.createFlow(flow(name));
    await api.waitForRun(await api.startRun(id, name === "Column" ? "demo: error 500" : "x"));
  }
  const list = new RunListPage(page);
  await list.open();
  const lefts = await Promise.all(
    ["Failed", "Succeeded"].map(async (word, index) => {
      const row = list.rows.filter({ has: page.getByRole("link", { name: names[index] ?? "", exact: true }) });
      return (await row.getByText(word, { exact: true }).boundingBox())?.x;
    }),
  );
  expect(lefts[0]).toBeGreaterThan(0);
  expect(lefts[1]).toBe(lefts[0]);
});
