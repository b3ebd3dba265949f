import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { VisitorEvent, VisitorRun } from "@/lib/core/run/events/visitor-events";
import { followVisitorRun } from "./visitor-run";

class FakeEventSource extends EventTarget {
  static newest: FakeEventSource | undefined;
  isClosed = false;

  constructor(readonly url: string) {
    super();
    FakeEventSource.newest = this;
  }

  send(event: VisitorEvent): void {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }

  close(): void {
    this.isClosed = true;
  }
}

let run: VisitorRun;
const requests = vi.fn(async () => Response.json(run));
const view = { showRun: vi.fn(), showProgress: vi.fn(), showProblem: vi.fn() };

beforeEach(() => {
  run = { status: "RUNNING", output: "", error: null, simulated: true };
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.stubGlobal("fetch", requests);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

test("what is written is shown a few times a second, not with each token, and the end at once", async () => {
  followVisitorRun("token", "1", view);
  for (let count = 0; count < 200; count++) {
    FakeEventSource.newest?.send({ type: "text", path: "a", text: "x" });
    await vi.advanceTimersByTimeAsync(5);
  }
  expect(view.showProgress.mock.calls.length).toBeGreaterThan(5);
  expect(view.showProgress.mock.calls.length).toBeLessThan(15);
  run = { ...run, status: "SUCCESS", output: "x".repeat(200) };
  await vi.advanceTimersByTimeAsync(1_000);
  expect(view.showProgress.mock.lastCall?.[0].texts.get("a")).toHaveLength(200);
  expect(view.showRun.mock.lastCall).toEqual([run]);
  expect(FakeEventSource.newest?.isClosed).toBe(true);
});

test("a page that is left reads no more of the run", async () => {
  const stop = followVisitorRun("token", "1", view);
  await vi.advanceTimersByTimeAsync(1_500);
  FakeEventSource.newest?.send({ type: "text", path: "a", text: "one" });
  FakeEventSource.newest?.send({ type: "text", path: "a", text: "two" });
  stop();
  vi.clearAllMocks();
  expect(FakeEventSource.newest?.isClosed).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  for (const call of [requests, ...Object.values(view)]) expect(call).not.toHaveBeenCalled();
});

test("a run that cannot be read is a problem, which ends the stream, too", async () => {
  requests.mockImplementationOnce(async () =>
    Response.json({ error: { code: "not_found", message: "gone" } }, { status: 404 }),
  );
  followVisitorRun("token", "1", view);
  await vi.advanceTimersByTimeAsync(0);
  expect(view.showProblem.mock.calls).toEqual([["gone"]]);
  expect(FakeEventSource.newest?.isClosed).toBe(true);
});
