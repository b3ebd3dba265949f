import type { CDPSession, Page } from "@playwright/test";

/** Cost of a measured interval. */
export interface Cost {
  /** CPU milliseconds of the page's main thread per frame: a busy machine hardly changes it. */
  mainMs: number;
  /** Frames a second, and the longest frame in milliseconds: wall clock. */
  fps: number;
  worst: number;
}

declare global {
  interface Window {
    __frames?: number[];
  }
}

const settleMs = 700;

/** Measures one page through the browser's own counters. */
export class Probe {
  private constructor(
    readonly page: Page,
    readonly cdp: CDPSession,
  ) {}

  static async attach(page: Page, { slowdown = 1 } = {}): Promise<Probe> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    if (slowdown > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
    return new Probe(page, cdp);
  }

  /** Opens a benchmark page; returns the milliseconds until its first useful paint: the one with `first`, or when the page reports it. */
  async open(url: string, first?: string): Promise<number> {
    await this.page.goto(url, { waitUntil: "commit" });
    return this.page.evaluate(
      (selector) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            if (selector ? document.querySelector(selector) : window.__ready)
              requestAnimationFrame(() => resolve(performance.now()));
            else requestAnimationFrame(look);
          };
          look();
        }),
      first,
    );
  }

  /** Milliseconds from the request of the page until it reports that it is drawn. */
  async ready(): Promise<number> {
    await this.page.waitForFunction(() => window.__ready);
    return this.page.evaluate(() => window.__ready ?? 0);
  }

  /** CPU milliseconds of the main thread so far. */
  async mainTime(): Promise<number> {
    return (await this.#read("TaskDuration")) * 1000;
  }

  /** Nodes of the page's document, detached ones included. */
  async domNodes(): Promise<number> {
    await this.#collectGarbage();
    return this.#read("Nodes");
  }

  /** Megabytes of the JavaScript heap that are in use after a collection. */
  async heap(): Promise<number> {
    await this.#collectGarbage();
    const { usedSize } = await this.cdp.send("Runtime.getHeapUsage");
    return usedSize / 2 ** 20;
  }

  /** Waits until the page is idle, so that its loading is not part of the next measurement. */
  async settle(): Promise<void> {
    await this.page.waitForTimeout(settleMs);
  }

  /** Cost of the page during `act`. */
  async measure(act: () => Promise<void>): Promise<Cost> {
    await this.settle();
    const before = await this.mainTime();
    await this.page.evaluate(() => {
      const frames: number[] = [];
      window.__frames = frames;
      const note = (now: number): void => {
        if (window.__frames !== frames) return;
        frames.push(now);
        requestAnimationFrame(note);
      };
      requestAnimationFrame(note);
    });
    await act();
    const frames = await this.page.evaluate(() => {
      const found = window.__frames ?? [];
      window.__frames = [];
      return found;
    });
    const spent = (await this.mainTime()) - before;
    const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
    const total = gaps.reduce((sum, gap) => sum + gap, 0);
    return {
      mainMs: spent / Math.max(1, gaps.length),
      fps: (gaps.length * 1000) / Math.max(1, total),
      worst: Math.max(0, ...gaps),
    };
  }

  async #collectGarbage(): Promise<void> {
    for (let round = 0; round < 2; round++) await this.cdp.send("HeapProfiler.collectGarbage");
  }

  async #read(name: string): Promise<number> {
    const { metrics } = await this.cdp.send("Performance.getMetrics");
    return metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  }
}

const eventsPerSecond = 60;

/** Calls a function sixty times a second without waiting for the page, like a user's hand; its argument goes from 0 to 1. */
export async function pace(milliseconds: number, act: (part: number) => Promise<void>): Promise<void> {
  const start = performance.now();
  const sent: Promise<void>[] = [];
  for (let count = 0; ; count++) {
    const passed = performance.now() - start;
    if (passed >= milliseconds) break;
    sent.push(act(passed / milliseconds));
    if (sent.length > 4) await sent.shift();
    const wait = ((count + 1) * 1000) / eventsPerSecond - (performance.now() - start);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  await Promise.all(sent);
}
