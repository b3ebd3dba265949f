import { expect, type Page } from "@playwright/test";
import { Api } from "../fixtures/api";
import { readTemplate } from "../fixtures/template";
import { keepBudget, tell } from "./figures";
import { PageWeight } from "./page-weight";
import { test } from "./test";

const paces = [
  { pace: "", slowness: { cpu: 1, mobile: false }, largestPaint: 1000 },
  { pace: ", 4G and 4x CPU", slowness: { cpu: 4, mobile: true }, largestPaint: 1800 },
];

/** The figures of every page after it has loaded and was used a little. */
async function tellVitals(weight: PageWeight, subject: string, largestPaint: number, isSlow: boolean): Promise<void> {
  const vitals = await weight.vitals();
  tell(subject, "largest paint", vitals.largestPaint, "ms", largestPaint);
  tell(subject, "blocked", vitals.blocked, "ms", isSlow ? 200 : null);
  tell(subject, "slowest input", vitals.slowestInput, "ms", isSlow ? null : 100);
  keepBudget(subject, "layout shift", vitals.shifted, "", 0.02);
}

interface Loaded {
  /** The time from which the page can be used. */
  usable: number;
  /** Goal for the kilobytes of scripts by then, and the limit that they must never exceed. */
  goal?: number;
  kept: number;
}

/** Scripts that are loaded when the page can be used, and those that load later. Of a server-rendered page: all. */
async function tellScripts(weight: PageWeight, subject: string, { usable, goal, kept }: Loaded): Promise<void> {
  await weight.quiet();
  const before = weight.scripts({ before: usable });
  if (goal !== undefined) tell(subject, "scripts before first use", before, "KB gz", goal);
  keepBudget(subject, "scripts before first use, kept", before, "KB gz", kept);
  tell(subject, "scripts that come after by themselves", weight.scripts({ since: usable }), "KB gz");
}

/** A few clicks that each change the page. */
async function useEditor(page: Page): Promise<void> {
  const [first, second] = [page.getByRole("article").first(), page.getByRole("article").nth(1)];
  await first.click();
  await second.click();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("button", { name: "Outline" }).click();
  await page.getByRole("button", { name: "Fit view" }).click();
}

for (const { pace, slowness, largestPaint } of paces) {
  const isSlow = slowness.cpu > 1;

  test(`the list of flows${pace}`, async ({ app, page }) => {
    const subject = `list${pace}`;
    await new Api(app.url).createFlow(readTemplate("demo-article", "Article"));
    const weight = await PageWeight.attach(page, slowness);
    await page.goto("/", { waitUntil: "commit" });
    await tellScripts(weight, subject, { usable: Number.POSITIVE_INFINITY, kept: 195 });
    await page.getByRole("button", { name: "More for Article" }).first().click();
    await page.keyboard.press("Escape");
    await tellVitals(weight, subject, largestPaint, isSlow);
  });

  test(`the editor of a flow${pace}`, async ({ app, page }) => {
    const subject = `editor${pace}`;
    const { id } = await new Api(app.url).createFlow(readTemplate("demo-article", "Article"));
    const weight = await PageWeight.attach(page, slowness);
    await page.goto(`/flows/${id}`, { waitUntil: "commit" });
    await tellScripts(weight, subject, {
      usable: await weight.appeared(".react-flow__node-agent"),
      goal: 320,
      kept: 345,
    });
    await useEditor(page);
    await tellVitals(weight, subject, largestPaint, isSlow);
  });
}

test("a run", async ({ app, page }) => {
  const api = new Api(app.url);
  const { id } = await api.createFlow(readTemplate("hello", "Hello"));
  const run = await api.startRun(id, "Say hello.");
  // A live run paints its answer when it arrives.
  await api.waitForRun(run);
  const weight = await PageWeight.attach(page, { cpu: 1, mobile: false });
  await page.goto(`/runs/${run}`, { waitUntil: "commit" });
  await tellScripts(weight, "run", { usable: await weight.appeared('[role="treegrid"]'), kept: 260 });
  await tellVitals(weight, "run", 1000, false);
});

test("the text editor, opened beside its canvas", async ({ page }) => {
  const weight = await PageWeight.attach(page, { cpu: 1, mobile: false });
  await page.goto("/bench/canvas?n=20&groups=1", { waitUntil: "commit" });
  await weight.appeared(".react-flow__node-agent");
  await weight.quiet();
  const asked = await page.evaluate(() => Date.now());
  await page.getByRole("button", { name: "Text pane" }).click();
  const ready = await weight.appeared(".cm-content");
  await expect(page.getByRole("textbox", { name: "Flow text" })).toContainText("name: Bench");
  tell("text editor", "ready", ready - asked, "ms", 300);
  await weight.quiet();
  keepBudget("text editor", "scripts", weight.scripts({ since: asked, before: ready }), "KB gz", 140);
  tell("text editor", "scripts of what helps with typing", weight.scripts({ since: ready }), "KB gz");
});
