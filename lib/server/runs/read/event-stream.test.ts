import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import { GET as getEvents } from "@/app/api/v1/runs/[id]/events/route";
import { GET as getStream } from "@/app/api/v1/runs/[id]/stream/route";
import { GET as getTrace } from "@/app/api/v1/runs/[id]/trace/route";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { AppError } from "../../app-error";
import { localViewer } from "../../auth/viewer";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { notifyRun } from "../store/notify-run";
import { insertRuns } from "../testing/insert-runs";
import { toReader } from "../testing/stream-reader";
import { streamRunEvents } from "./event-stream";
import { getRun } from "./queries";

const routes = { events: getEvents, stream: getStream, trace: getTrace };

/** What a program gets that reads a run's server-sent events, and how to stop. */
async function open(path: keyof typeof routes, id: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const url = `http://127.0.0.1:3000/api/v1/runs/${id}/${path}`;
  const request = new Request(url, { headers: { host: "127.0.0.1:3000", ...headers }, signal: stop.signal });
  const answer = await routes[path](request, { params: Promise.resolve({ id }) });
  return { answer, stop: () => stop.abort() };
}

async function runToItsEnd(): Promise<string> {
  const source = `name: One\nagents: { a: { model: "demo:writer" } }\nswarm: { flow: a }\n`;
  const { id: flowId } = await createFlow(localViewer, { source });
  const { id } = await startRun(localViewer, flowId, { input: "Looms" });
  await expect.poll(async () => isTerminal((await getRun(localViewer, id)).status), { timeout: 10_000 }).toBe(true);
  return id;
}

test.each(["events", "stream", "trace"] as const)(
  "/%s of a silent run begins at once, not with its first event",
  async (path) => {
    await insertRuns([{ id: `silent-${path}`, status: "RUNNING", durationMs: null }]);
    const { answer, stop } = await open(path, `silent-${path}`);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe(": the stream is open\n\n");
    stop();
    await reader?.cancel();
    await (await startServices()).run.update({ where: { id: `silent-${path}` }, data: { status: "FAILED" } });
  },
);

test.each(["events", "trace"] as const)(
  "/%s of an ended run closes without an event for numbers at and beyond its end",
  async (path) => {
    const id = await runToItsEnd();
    const { state } = await getRun(localViewer, id);
    for (const last of [state.seq, state.seq + 1, state.seq + 1000, 2_147_483_647]) {
      const { answer } = await open(path, id, { "last-event-id": String(last) });
      expect(await answer.text(), `Last-Event-ID ${last}`).toBe(": the stream is open\n\n");
    }
  },
);

test("/stream of an ended run replays it and closes", async () => {
  const { answer } = await open("stream", await runToItsEnd(), { "last-event-id": "100000" });
  expect(await answer.text()).toMatch(/event: status\n.*\n\n$/);
});

test.each(["events", "trace"] as const)(
  "/%s: a number beyond the end of a run that goes on waits for its end",
  async (path) => {
    const id = `ahead-${path}`;
    await insertRuns([{ id, status: "RUNNING", durationMs: null }]);
    const { answer } = await open(path, id, { "last-event-id": "5000" });
    const text = answer.text();
    await (await startServices()).run.update({ where: { id }, data: { status: "FAILED" } });
    expect(await text).toBe(": the stream is open\n\n");
  },
);

test("for a reader that does not read on, no more rows are read than it can take", async () => {
  const db = await startServices();
  const id = "unread";
  await insertRuns([{ id, status: "RUNNING", durationMs: null }]);
  const { answer, stop } = await open("events", id);
  const findMany = vi.spyOn(db.runEvent, "findMany");
  let seq = 0;
  for (let write = 0; write < 20; write++) {
    const data = Array.from({ length: 100 }, () => {
      const event = { type: "text.appended", seq: ++seq, at: seq, id: 1, text: "word " };
      return { runId: id, seq, type: event.type, at: new Date(seq), body: JSON.stringify(event) };
    });
    await db.runEvent.createMany({ data });
    notifyRun(id);
    await sleep(5);
  }
  expect(findMany.mock.calls.length).toBeLessThanOrEqual(2);
  findMany.mockRestore();
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes(`id: ${seq}\n`)) text += (await reader?.read())?.value ?? "";
  expect(text.match(/^id: /gm)).toHaveLength(seq);
  stop();
  await reader?.cancel();
  await db.run.update({ where: { id }, data: { status: "FAILED" } });
});

/** Streams of earlier tests close when their runs have ended. */
const untilNoneIsOpen = () => expect.poll(() => globalThis.swarmloomStreams?.size ?? 0, { timeout: 30_000 }).toBe(0);

test("one person keeps 200 streams open: the next is refused until one of them closes", async () => {
  await untilNoneIsOpen();
  const ids = ["many-1", "many-2"];
  await insertRuns(ids.map((id) => ({ id, status: "RUNNING" as const, durationMs: null })));
  const db = await startServices();
  const paths = ["events", "stream", "trace"] as const;
  const openNth = (nth: number) => open(paths[nth % 3] ?? "events", ids[nth % 2] ?? "");
  const opened = await Promise.all(Array.from({ length: 200 }, (_, nth) => openNth(nth)));
  expect(new Set(opened.map(({ answer }) => answer.status))).toEqual(new Set([200]));
  const { answer: refused } = await openNth(0);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await refused.json()).toEqual({
    error: { code: "rate_limited", message: expect.stringContaining("200 event streams") },
  });
  const other = { ...localViewer, id: "another" };
  const foreign = await streamRunEvents(toReader(other), "many-1", 0);
  const [first, second] = opened;
  first?.stop();
  await second?.answer.body?.cancel();
  const replaced = [await openNth(0), await openNth(1)];
  expect(replaced.map(({ answer }) => answer.status)).toEqual([200, 200]);
  expect((await openNth(2)).answer.status).toBe(429);
  // The end of a run closes its streams.
  const last = opened[3]?.answer.text();
  await db.run.updateMany({ where: { id: { in: ids } }, data: { status: "FAILED" } });
  await last;
  const afterEnd = await openNth(0);
  expect(afterEnd.answer.status).toBe(200);
  await foreign.cancel();
  for (const { stop } of [...opened, ...replaced, afterEnd]) stop();
  await untilNoneIsOpen();
});

test("a stream whose reader may no longer read anything frees its place", async () => {
  await insertRuns([{ id: "lost", status: "RUNNING", durationMs: null }]);
  const reload = () => Promise.reject(new AppError("unauthorized", "Sign in first."));
  const body = await streamRunEvents({ ...toReader(localViewer), reload, reloadMs: 0 }, "lost", 0);
  expect(globalThis.swarmloomStreams?.size).toBe(1);
  const reader = body.getReader();
  await reader.read();
  await expect(reader.read()).rejects.toMatchObject({ code: "unauthorized" });
  await untilNoneIsOpen();
  await (await startServices()).run.update({ where: { id: "lost" }, data: { status: "FAILED" } });
});

test("a client that leaves after a garbage collection frees its place", async () => {
  await insertRuns([{ id: "collected", status: "RUNNING", durationMs: null }]);
  const { answer, stop } = await open("events", "collected");
  const reader = answer.body?.getReader();
  await reader?.read();
  setFlagsFromString("--expose-gc");
  for (let turn = 0; turn < 3; turn++) {
    runInNewContext("gc")();
    await sleep(20);
  }
  expect(globalThis.swarmloomStreams?.size).toBe(1);
  stop();
  await expect.poll(() => globalThis.swarmloomStreams?.size ?? 0, { timeout: 3000 }).toBe(0);
  await (await startServices()).run.update({ where: { id: "collected" }, data: { status: "FAILED" } });
});

test("a stream whose client has left before it opens takes no place", async () => {
  await insertRuns([{ id: "gone", status: "RUNNING", durationMs: null }]);
  const body = await streamRunEvents(toReader(localViewer, AbortSignal.abort()), "gone", 0);
  await untilNoneIsOpen();
  await body.cancel();
  await (await startServices()).run.update({ where: { id: "gone" }, data: { status: "FAILED" } });
});
