import type { Page } from "@playwright/test";
import { keepBudget, tell } from "./figures";
import { Probe, pace } from "./probe";
import { test } from "./test";

const stretch = 2500;
const middle = { x: 720, y: 520 };

/** The position of the card that is nearest to the middle. */
async function findCard(page: Page): Promise<{ x: number; y: number }> {
  const boxes = await page
    .locator(".react-flow__node-agent")
    .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().toJSON()));
  const spots = boxes.map(({ x, y, width }) => ({ x: x + width / 2, y: y + 14 }));
  const distance = (spot: { x: number; y: number }): number => Math.hypot(spot.x - middle.x, spot.y - middle.y);
  return spots.toSorted((a, b) => distance(a) - distance(b))[0] ?? middle;
}

async function drag(probe: Probe) {
  const { page } = probe;
  const { x, y } = await findCard(page);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 8, y + 8);
  const cost = await probe.measure(() =>
    pace(stretch, (part) => page.mouse.move(x + 60 * Math.sin(part * 12), y + 60 * Math.sin(part * 17))),
  );
  await page.mouse.up();
  return cost;
}

async function pan(probe: Probe) {
  const { page } = probe;
  await page.mouse.move(middle.x, middle.y);
  return probe.measure(() =>
    pace(stretch, (part) => page.mouse.wheel(30 * Math.sin(part * 12), 30 * Math.cos(part * 12))),
  );
}

async function zoom(probe: Probe) {
  const { page } = probe;
  await page.mouse.move(middle.x, middle.y);
  await page.keyboard.down("Control");
  const cost = await probe.measure(() =>
    pace(stretch, (part) => page.mouse.wheel(0, Math.sin(part * 12.5) > 0 ? -40 : 40)),
  );
  await page.keyboard.up("Control");
  return cost;
}

/** What changes a flow loads once it is drawn, and is no part of what a gesture costs. */
async function untilEditable(probe: Probe): Promise<void> {
  await probe.page.waitForLoadState("networkidle");
  await probe.settle();
}

const sizes = [
  { agents: 1000, opens: 600, overview: 8 },
  { agents: 5000, opens: 800, overview: 8 },
  { agents: 20_000, opens: 1200, overview: 10 },
];

for (const { agents, opens, overview } of sizes) {
  const name = agents.toLocaleString("en");

  test(`${name} agents, seen as a whole`, async ({ page }) => {
    const subject = `${name}, whole`;
    const probe = await Probe.attach(page);
    const url = `/bench/canvas?n=${agents}&groups=1`;
    // The first request of a server loads its code.
    await page.request.get(url);
    // Larger flows have no picture of the server.
    if (agents === 1000) tell(subject, "first picture", await probe.open(url, "#first-picture"), "ms", opens);
    else await probe.open(url);
    tell(subject, "canvas", await probe.ready(), "ms", opens);
    tell(subject, "canvas, main thread", await probe.mainTime(), "ms");
    await untilEditable(probe);
    const panned = await pan(probe);
    keepBudget(subject, "pan", panned.mainMs, "main ms a frame", overview);
    const zoomed = await zoom(probe);
    keepBudget(subject, "zoom", zoomed.mainMs, "main ms a frame", overview);
    tell(subject, "worst frame", Math.max(panned.worst, zoomed.worst), "ms", 100);
    keepBudget(subject, "DOM nodes", await probe.domNodes(), "", 10_000);
    const heap = await probe.heap();
    if (agents === 1000) keepBudget(subject, "heap", heap, "MB", 60);
    else tell(subject, "heap", heap, "MB");
  });

  test(`${name} agents, seen from near`, async ({ page }) => {
    const subject = `${name}, near`;
    const probe = await Probe.attach(page);
    await probe.open(`/bench/canvas?n=${agents}&groups=1&near=1`);
    await untilEditable(probe);
    const dragged = await drag(probe);
    keepBudget(subject, "drag", dragged.mainMs, "main ms a frame", 6);
    tell(subject, "drag", dragged.fps, "fps", 55);
    const panned = await pan(probe);
    keepBudget(subject, "pan", panned.mainMs, "main ms a frame", 8);
    const zoomed = await zoom(probe);
    keepBudget(subject, "zoom", zoomed.mainMs, "main ms a frame", 8);
    tell(subject, "worst frame", Math.max(dragged.worst, panned.worst, zoomed.worst), "ms", 100);
    keepBudget(subject, "DOM nodes", await probe.domNodes(), "", 10_000);
  });
}

test("1,000 agents on a processor four times as slow", async ({ page }) => {
  const probe = await Probe.attach(page, { slowdown: 4 });
  await probe.open("/bench/canvas?n=1000&groups=1&near=1");
  const { fps, mainMs } = await drag(probe);
  tell("1,000, 4x CPU", "drag", fps, "fps", 50);
  tell("1,000, 4x CPU", "drag", mainMs, "main ms a frame");
});

for (const [view, query] of [
  ["whole", ""],
  ["near", "&near=1"],
]) {
  test(`300 changes of status a second over 5,000 agents, ${view}`, async ({ page }) => {
    const probe = await Probe.attach(page);
    await probe.open(`/bench/canvas?n=5000&groups=1&live=300${query}`);
    // Only what the changes cost: a view that follows the run moves all the time here.
    await page.getByRole("button", { name: "Following the run" }).click();
    const { mainMs } = await probe.measure(() => page.waitForTimeout(2 * stretch));
    keepBudget(`5,000, ${view}`, "300 status changes a second", mainMs, "main ms a frame", 2);
  });
}
