import { expect, test } from "../fixtures/test";
import { areApart, EditorPage } from "../pages/editor-page";

test.use({ demoSpeed: 20, isTextOpen: false });

const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: "demo:writer" }\n`).join("")}`;

const cases = [
  { title: "a chain", flow: "plan >> draft >> edit", names: ["plan", "draft", "edit"], answer: "Answer of edit" },
  {
    title: "a chain of several lines",
    flow: "a >> b >> c >> d >> e >> f >> g >> h",
    names: [..."abcdefgh"],
    answer: "Answer of h",
  },
  {
    title: "agents at once",
    flow: "plan >> (left | right)",
    names: ["plan", "left", "right"],
    answer: "Answer of left, right",
  },
];

for (const { title, flow, names, answer } of cases)
  for (const width of [1440, 500])
    test(`the answer of ${title} is at the step that gave it and covers no card and no control, ${width} px wide`, async ({
      page,
      api,
    }) => {
      await page.setViewportSize({ width, height: 800 });
      const { id } = await api.createFlow(`name: Answers\n${agents(...names)}swarm: { flow: ${flow} }\n`);
      await api.waitForRun(await api.startRun(id, "Looms"));
      const editor = new EditorPage(page);
      await editor.open(id);
      await editor.runSummary.click();
      await page.getByRole("button", { name: "Close the run panel" }).click();
      const card = page.getByRole("region", { name: "Answer", exact: true });
      // Below a flow that fills the view there is room for the answer once it is scrolled.
      await page.mouse.move(20, 300);
      if (width === 500) await page.mouse.wheel(0, 200);
      await expect(card.getByRole("heading", { name: answer })).toBeVisible();
      const box = await editor.boxOf(card);
      const controls = page.getByRole("toolbar").or(page.getByRole("group", { name: "View of the canvas" }));
      for (const other of await page.getByRole("article").or(controls).all()) {
        expect(areApart(await editor.boxOf(other), box), (await other.getAttribute("aria-label")) ?? "").toBe(true);
      }
    });

test("on a phone without room for the answer, a button opens it", async ({ page, api }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const names = ["plan", "left", "right", "draft", "edit", "check"];
  const { id } = await api.createFlow(
    `name: Phone\n${agents(...names)}swarm: { flow: plan >> (left | right) >> draft >> edit >> check }\n`,
  );
  await api.waitForRun(await api.startRun(id, "Looms"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runSummary.click();
  await page.getByRole("button", { name: "Close the run panel" }).click();
  const button = page.getByRole("button", { name: "Show the answer of check" });
  await expect(button).toBeVisible();
  const box = await editor.boxOf(button);
  for (const other of await page.getByRole("article").or(page.getByRole("toolbar")).all())
    expect(areApart(await editor.boxOf(other), box), (await other.getAttribute("aria-label")) ?? "").toBe(true);
  await button.click();
  await expect(page.getByRole("region", { name: "Text of the answer" })).toBeVisible();
  await page.getByRole("button", { name: "Shorten the answer" }).click();
  await expect(button).toBeVisible();
});

for (const width of [1440, 390])
  test(`an open answer is beside its step, ${width} px wide`, async ({ page, api }) => {
    await page.setViewportSize({ width, height: 844 });
    const { id } = await api.createFlow(`name: Open\n${agents("plan", "draft")}swarm: { flow: plan >> draft }\n`);
    await api.waitForRun(await api.startRun(id, "Looms"));
    const editor = new EditorPage(page);
    await editor.open(id);
    await editor.runSummary.click();
    await page.getByRole("button", { name: "Close the run panel" }).click();
    await page.getByRole("button", { name: "Show the whole answer" }).click();
    const answer = page.getByRole("region", { name: "Answer", exact: true });
    await expect(answer.getByRole("region", { name: "Text of the answer" })).toBeVisible();
    const [box, step] = [await editor.boxOf(answer), await editor.boxOf(editor.card("draft"))];
    expect(areApart(box, step)).toBe(true);
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(width);
  });

test("the closed answer has the words of the Markdown, and begins after the disclaimer", async ({ page, api }) => {
  await page.setViewportSize({ width: 1440, height: 800 });
  const { id } = await api.createFlow(`name: Words\n${agents("plan")}swarm: { flow: plan }\n`);
  await api.waitForRun(await api.startRun(id, "Call read_page: 240 * 85"));
  const editor = new EditorPage(page);
  await editor.open(id);
  await editor.runSummary.click();
  await page.getByRole("button", { name: "Close the run panel" }).click();
  const card = page.getByRole("region", { name: "Answer", exact: true });
  await expect(card.getByRole("img", { name: "Simulated" })).toBeVisible();
  await expect(card.getByRole("paragraph")).toHaveText(/^Topic: Call read_page: 240 \* 85/);
  await expect(card.getByText("no model was asked")).toHaveCount(0);
});
