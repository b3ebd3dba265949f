import type { CDPSession, Page } from "@playwright/test";

export interface Slowness {
  /** How many times slower the processor is. */
  cpu: number;
  /** Whether the network is a good mobile one: 9 Mbit/s, 60 ms. */
  mobile: boolean;
}

/** Vitals of a page. Times in milliseconds since its request. */
export interface Vitals {
  largestPaint: number;
  /** Main thread blocked beyond 50 ms at a time, in all. */
  blocked: number;
  /** Sum of unexpected layout shifts. */
  shifted: number;
  /** Longest time from an input to the next picture. */
  slowestInput: number;
}

declare global {
  interface Window {
    __vitals?: Vitals;
  }
}

interface LoadedScript {
  /** Time of the request, on the clock of `Date.now()`. */
  at: number;
  /** Transferred size: compressed. */
  bytes: number;
}

const mobileNetwork = { offline: false, latency: 60, downloadThroughput: 9e6 / 8, uploadThroughput: 3e6 / 8 };

/** Weighs the scripts of a page and notes its vitals, from before it is opened. */
export class PageWeight {
  readonly #scripts = new Map<string, LoadedScript>();

  private constructor(
    readonly page: Page,
    cdp: CDPSession,
  ) {
    const asked = new Map<string, number>();
    cdp.on("Network.requestWillBeSent", ({ requestId, wallTime }) => asked.set(requestId, wallTime * 1000));
    cdp.on("Network.responseReceived", ({ requestId, type }) => {
      if (type === "Script") this.#scripts.set(requestId, { at: asked.get(requestId) ?? 0, bytes: 0 });
    });
    cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const script = this.#scripts.get(requestId);
      if (script) script.bytes = encodedDataLength;
    });
  }

  static async attach(page: Page, { cpu, mobile }: Slowness): Promise<PageWeight> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
    if (mobile) await cdp.send("Network.emulateNetworkConditions", mobileNetwork);
    if (cpu > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await page.addInitScript(noteVitals);
    return new PageWeight(page, cdp);
  }

  /** Kilobytes of the scripts that were requested before a time (of `Date.now()`), or from then on. */
  scripts({ before = Number.POSITIVE_INFINITY, since = 0 }: { before?: number; since?: number } = {}): number {
    const counted = [...this.#scripts.values()].filter(({ at }) => at < before && at >= since);
    return counted.reduce((sum, { bytes }) => sum + bytes, 0) / 1024;
  }

  /** The time at which the page first contains a matching element: the browser paints it next. */
  appeared(selector: string): Promise<number> {
    return this.page.evaluate(
      (wanted) =>
        new Promise<number>((resolve) => {
          const look = (): void => {
            if (!document.querySelector(wanted)) return;
            changes.disconnect();
            resolve(Date.now());
          };
          const changes = new MutationObserver(look);
          changes.observe(document, { childList: true, subtree: true });
          look();
        }),
      selector,
    );
  }

  /** Waits until the page has not requested a script for a while. */
  async quiet(): Promise<void> {
    for (let count = -1; count !== this.#scripts.size; ) {
      count = this.#scripts.size;
      await this.page.waitForTimeout(2000);
    }
  }

  async vitals(): Promise<Vitals> {
    const vitals = await this.page.evaluate(() => window.__vitals);
    if (!vitals) throw new Error("The page was opened before its vitals were watched.");
    return vitals;
  }
}

/** Runs in the page, before anything of its own. */
function noteVitals(): void {
  const vitals = { largestPaint: 0, blocked: 0, shifted: 0, slowestInput: 0 };
  window.__vitals = vitals;
  const watch = (type: string, note: (entry: PerformanceEntry) => void, durationThreshold?: number): void => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(note));
    observer.observe({ type, buffered: true, ...(durationThreshold === undefined ? {} : { durationThreshold }) });
  };
  watch("largest-contentful-paint", ({ startTime }) => {
    vitals.largestPaint = startTime;
  });
  watch("longtask", ({ duration }) => {
    vitals.blocked += Math.max(0, duration - 50);
  });
  watch("layout-shift", (entry) => {
    if ("value" in entry && "hadRecentInput" in entry && entry.hadRecentInput === false)
      vitals.shifted += Number(entry.value);
  });
  watch(
    "event",
    (entry) => {
      if ("interactionId" in entry && Number(entry.interactionId) > 0)
        vitals.slowestInput = Math.max(vitals.slowestInput, entry.duration);
    },
    16,
  );
}
