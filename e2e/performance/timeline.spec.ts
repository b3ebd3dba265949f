import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { BenchRun } from "@/app/bench/_bench/bench-run";
import { toTraceSnapshot } from "@/lib/core/trace/model/trace-snapshot";
import { keepBudget, tell } from "./figures";
import { Probe, pace } from "./probe";
import { test } from "./test";

const stretch = 2500;
const grid = "[role=treegrid]";

/** Opens a benchmark run; returns the milliseconds from its data to the first paint of its rows. */
async function open(probe: Probe, query: string): Promise<number> {
  const shown = await probe.open(`/bench/timeline?${query}`, "[role=row][aria-rowindex='2']");
  return shown - (await probe.page.evaluate(() => window.__dataAt ?? 0));
}

/** Compressed kilobytes of all steps of a benchmark run. */
function weigh(steps: number): number {
  const bench = new BenchRun();
  bench.growTo(steps);
  bench.finish();
  return gzipSync(JSON.stringify(toTraceSnapshot(bench.trace))).length / 1000;
}

async function pointAtBars(page: Page): Promise<void> {
  const box = await page.locator(grid).boundingBox();
  if (box) await page.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2);
}

/** The scrollbar dragged up and down through the whole run: every frame shows other rows. */
async function jump(page: Page): Promise<void> {
  await page.locator(grid).evaluate(
    (element, ms) =>
      new Promise<void>((resolve) => {
        const most = element.scrollHeight - element.clientHeight;
        const start = performance.now();
        const step = (): void => {
          const passed = performance.now() - start;
          element.scrollTop = (0.5 + 0.5 * Math.sin(passed / 300)) * most;
          if (passed < ms) requestAnimationFrame(step);
          else resolve();
        };
        step();
      }),
    stretch,
  );
}

async function zoom(page: Page): Promise<void> {
  await page.keyboard.down("Control");
  await pace(stretch, (part) => page.mouse.wheel(0, Math.sin(part * 30) > -0.2 ? -40 : 40));
  await page.keyboard.up("Control");
}

/** 95th percentile of the milliseconds from the arrival of steps to the frame that shows them. */
function eventToPixel(page: Page): Promise<number> {
  return page.evaluate(
    (ms) =>
      new Promise<number>((resolve) => {
        const waited: number[] = [];
        const end = performance.now() + ms;
        let seen = Number(document.querySelector<HTMLElement>("[data-painted]")?.dataset.painted);
        const look = (): void => {
          const now = performance.now();
          const painted = Number(document.querySelector<HTMLElement>("[data-painted]")?.dataset.painted);
          for (const { steps, at } of window.__grown ?? []) if (steps > seen && steps <= painted) waited.push(now - at);
          seen = painted;
          if (now < end) requestAnimationFrame(look);
          else resolve(waited.toSorted((a, b) => a - b)[Math.floor(waited.length * 0.95)] ?? Number.NaN);
        };
        requestAnimationFrame(look);
      }),
    stretch,
  );
}

for (const { steps, firstRows, heap } of [
  { steps: 10_000, firstRows: 250, heap: 30 },
  { steps: 100_000, firstRows: 400, heap: 60 },
]) {
  const subject = `${steps.toLocaleString("en")} steps`;

  test(`a run of ${subject}`, async ({ page }) => {
    const probe = await Probe.attach(page);
    tell(subject, "first rows after data", await open(probe, `n=${steps}`), "ms", firstRows);
    keepBudget(subject, "all steps on the wire", weigh(steps), "KB", 1000);
    await pointAtBars(page);
    const scrolled = await probe.measure(() => pace(stretch, () => page.mouse.wheel(0, 120)));
    keepBudget(subject, "scroll", scrolled.mainMs, "main ms a frame", 4);
    tell(subject, "scroll", scrolled.fps, "fps", 58);
    const jumped = await probe.measure(() => jump(page));
    keepBudget(subject, "jump", jumped.mainMs, "main ms a frame", 8);
    const zoomed = await probe.measure(() => zoom(page));
    keepBudget(subject, "zoom", zoomed.mainMs, "main ms a frame", 4);
    keepBudget(subject, "heap", await probe.heap(), "MB", heap);
  });

  test(`a run of ${subject} that goes on`, async ({ page }) => {
    const probe = await Probe.attach(page);
    await open(probe, `n=${steps}&live=1000`);
    const { mainMs } = await probe.measure(() => page.waitForTimeout(stretch));
    keepBudget(subject, "1,000 more a second", mainMs, "main ms a frame", 6);
    tell(subject, "event to pixel, p95", await eventToPixel(page), "ms", 100);
  });
}
