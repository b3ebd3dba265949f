import { describe, expect, test } from "vitest";
import type { RunEvent } from "@/lib/core/run/events/events";
import { noUsage } from "@/lib/core/run/events/usage";
import { Trace } from "@/lib/core/trace/model/trace";
import { applyBatch, toBatch } from "@/lib/core/trace/model/trace-batch";
import type { ConnectionStatus, EventLine, FollowPorts } from "./follow-line";
import { createServerTrace } from "./trace-source";

const events: readonly RunEvent[] = [
  { seq: 1, at: 1, type: "run.started", input: { text: "hi" }, flow: "F" },
  { seq: 2, at: 2, type: "node.started", id: 1, path: "/", kind: "swarm", name: "F", input: { text: "hi" } },
  { seq: 3, at: 3, type: "node.finished", id: 1, status: "SUCCESS", output: { text: "ok" }, usage: noUsage },
  { seq: 4, at: 4, type: "run.finished", status: "SUCCESS", output: { text: "ok" }, usage: noUsage },
];

/** The trace that these events lead to. */
function traceOf(known: readonly RunEvent[]): Trace {
  const trace = new Trace();
  const batch = toBatch(known);
  if (batch) applyBatch(trace, batch);
  return trace;
}

/** The batches of these events, one for each. */
const batchesOf = (sent: readonly RunEvent[]) => sent.map((event) => toBatch([event]));
const [begin] = batchesOf(events);

class Line implements EventLine {
  onopen: EventLine["onopen"] = null;
  onerror: EventLine["onerror"] = null;
  onmessage: EventLine["onmessage"] = null;
  onping: EventLine["onping"] = null;
  readyState = 1;
  closed = false;
  constructor(readonly url: string) {}
  close(): void {
    this.closed = true;
  }
}

/** A browser whose frames and timers the test triggers. */
class Browser {
  readonly lines: Line[] = [];
  readonly seen: [number, ConnectionStatus][] = [];
  readonly waits: number[] = [];
  #pictures = new Set<() => void>();
  #timers = new Set<() => void>();
  #watches = new Set<() => void>();
  readonly stop: () => void;

  constructor(readonly trace = new Trace()) {
    const keep = (callbacks: Set<() => void>, callback: () => void): (() => void) => {
      callbacks.add(callback);
      return () => callbacks.delete(callback);
    };
    const ports: FollowPorts = {
      open: (url) => {
        this.lines.push(new Line(url));
        return this.line;
      },
      beforePicture: (callback) => keep(this.#pictures, callback),
      after: (ms, callback) => {
        if (ms > 30_000) return keep(this.#watches, callback);
        this.waits.push(ms);
        return keep(this.#timers, callback);
      },
    };
    const { follow } = createServerTrace("r", trace, ports);
    this.stop = follow(trace, (connection) => this.seen.push([trace.seq, connection]));
  }

  get line(): Line {
    const line = this.lines.at(-1);
    if (!line) throw new Error("no line was opened");
    return line;
  }
  open(): void {
    this.#call("onopen", new Event("open"));
  }
  send(...sent: readonly unknown[]): void {
    for (const data of sent)
      this.#call(
        "onmessage",
        new MessageEvent("message", { data: typeof data === "string" ? data : JSON.stringify(data) }),
      );
  }
  breakOff(readyState: number): void {
    this.line.readyState = readyState;
    this.#call("onerror", new Event("error"));
  }
  draw(): void {
    for (const callback of [...this.#pictures]) callback();
  }
  wait(timers = this.#timers): void {
    for (const callback of [...timers]) {
      timers.delete(callback);
      callback();
    }
  }
  /** Longer than the server ever is silent. */
  waitLong(): void {
    this.wait(this.#watches);
  }
  #call(name: "onopen" | "onerror" | "onmessage", event: Event): void {
    const listener: unknown = this.line[name];
    if (typeof listener === "function") listener.call(this.line, event);
  }
}

describe("a followed trace", () => {
  test("shows what came between two pictures at once", () => {
    const browser = new Browser();
    browser.open();
    browser.send(...batchesOf(events.slice(0, 3)));
    expect(browser.seen).toEqual([[0, "live"]]);
    browser.draw();
    browser.draw();
    expect(browser.seen).toEqual([
      [0, "live"],
      [3, "live"],
    ]);
  });

  test("shows the end at once and closes the line", () => {
    const browser = new Browser();
    browser.open();
    browser.send(...batchesOf(events));
    expect(browser.seen.at(-1)).toEqual([4, "ended"]);
    expect(browser.line.closed).toBe(true);
    browser.breakOff(2);
    browser.draw();
    expect(browser.seen.at(-1)).toEqual([4, "ended"]);
  });

  test("begins after the known events, and requests nothing for an ended run", () => {
    expect(new Browser(traceOf(events.slice(0, 2))).line.url).toBe("/api/v1/runs/r/trace?after=2");
    const ended = new Browser(traceOf(events));
    expect(ended.lines).toEqual([]);
    expect(ended.seen).toEqual([[4, "ended"]]);
  });

  test("a broken line is left to the browser to mend", () => {
    const browser = new Browser();
    browser.breakOff(0);
    expect(browser.seen).toEqual([[0, "retrying"]]);
    expect(browser.waits).toEqual([]);
    browser.open();
    expect(browser.seen.at(-1)).toEqual([0, "live"]);
  });

  test("after a refusal it retries after the last event, with growing pauses", () => {
    const browser = new Browser();
    browser.open();
    browser.send(...batchesOf(events.slice(0, 2)));
    for (let i = 0; i < 6; i++) {
      browser.breakOff(2);
      browser.wait();
    }
    expect(browser.waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(browser.line.url).toBe("/api/v1/runs/r/trace?after=2");
    browser.open();
    browser.breakOff(2);
    expect(browser.waits.at(-1)).toBe(1000);
  });

  test("what cannot be read is left out, what comes twice counts once", () => {
    const browser = new Browser();
    browser.open();
    browser.send("{", '{"type":"later.invention"}', "null", begin, begin, ...batchesOf(events.slice(1, 2)));
    browser.draw();
    expect(browser.seen.at(-1)).toEqual([2, "live"]);
  });

  test("a line that is silent for too long is closed and reopened after the last event", () => {
    const browser = new Browser();
    browser.open();
    browser.send(...batchesOf(events.slice(0, 2)));
    const silent = browser.line;
    browser.waitLong();
    expect(silent.closed).toBe(true);
    expect(browser.line.url).toBe("/api/v1/runs/r/trace?after=2");
    expect(browser.seen.at(-1)).toEqual([2, "retrying"]);
    browser.open();
    expect(browser.seen.at(-1)).toEqual([2, "live"]);
  });

  test("once stopped it shows nothing more and opens nothing more", () => {
    const browser = new Browser();
    browser.open();
    browser.send(begin);
    browser.stop();
    browser.breakOff(2);
    browser.draw();
    browser.wait();
    browser.waitLong();
    expect(browser.seen).toEqual([[0, "live"]]);
    expect(browser.lines.length).toBe(1);
    expect(browser.line.closed).toBe(true);
  });
});
