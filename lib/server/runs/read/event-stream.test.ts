import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { GET as getEvents } from "@/app/api/v1/runs/[id]/events/route";
import { GET as getStream } from "@/app/api/v1/runs/[id]/stream/route";
import { GET as getTrace } from "@/app/api/v1/runs/[id]/trace/route";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { localViewer } from "../../auth/viewer";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { startRun } from "../commands";
import { notifyRun } from "../store/notify-run";
import { insertRuns } from "../testing/insert-runs";
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
