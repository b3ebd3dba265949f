import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Script } from "@/lib/core/run/testing/scripted-model";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { AppError } from "../../app-error";
import { localViewer, type Viewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { purgeFlow, trashFlow } from "../../flows/trash";
import { startServices } from "../../start";
import { cancelRun } from "../commands";
import { streamRunEvents } from "../read/event-stream";
import { getRun, getRunNode, readRunEvents } from "../read/queries";
import { chain, insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";
import { toReader } from "../testing/stream-reader";

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  db = await startServices();
  // The executor of the services would take runs that wait for an executor of a test.
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterEach(() => executors.stop());

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

/** The events of a page alone. */
const listRunEvents = async (...args: Parameters<typeof readRunEvents>) => (await readRunEvents(...args)).events;

test("a heartbeat that is asked for during another one resolves with that one", async () => {
  const { executor } = executors.make({});
  const ends: string[] = [];
  const first = executor.beat().then(() => ends.push("first"));
  await executor.beat().then(() => ends.push("second"));
  expect(ends).toEqual(["first", "second"]);
  await first;
});

describe("driving", () => {
  test("a step's end is on disk before the next step asks its model", async () => {
    const id = await insertWaitingRun(chain);
    const seen: string[] = [];
    const { executor, models } = executors.make({ a: [{ text: "A" }], b: [{ text: "B" }] });
    const find = models.find.bind(models);
    vi.spyOn(models, "find").mockImplementation((name) => {
      const found = find(name);
      return (
        found && {
          ...found,
          model: {
            async *stream(request) {
              const rows = await db.runNode.findMany({ where: { runId: id, kind: "agent", status: "SUCCESS" } });
              seen.push(`${request.agent} after ${rows.map((row) => row.name).join()}`);
              yield* found.model.stream(request);
            },
          },
        }
      );
    });
    executor.wake();
    expect((await waitForEnd(id)).output.text).toBe("B");
    expect(seen).toEqual(["a after ", "b after a"]);
  });

  test("two processes that want the same run: one drives it", async () => {
    const id = await insertWaitingRun(chain);
    const script = (): Script => ({ a: [{ text: "A", delayMs: 20 }], b: [{ text: "B" }] });
    const [one, two] = [executors.make(script()), executors.make(script())];
    one.executor.wake();
    two.executor.wake();
    expect((await waitForEnd(id)).status).toBe("SUCCESS");
    expect(one.models.requests.length + two.models.requests.length).toBe(2);
  });

  test("a large text is stored once beside its step and read back whole", async () => {
    const long = "word ".repeat(10_000);
    const id = await insertWaitingRun(chain, long);
    executors.make({ a: [{ text: long }], b: [{ text: "B" }] }).executor.wake();
    const run = await waitForEnd(id);
    expect(run.input).toEqual({ text: long.slice(0, payloadLimit), length: long.length });
    const agent = run.state.nodes.find(({ path }) => path === "a");
    expect(agent?.output).toEqual({ text: long.slice(0, payloadLimit), length: long.length });
    expect((await getRunNode(localViewer, id, agent?.id ?? 0)).output).toEqual({ text: long });
    expect(run.output).toEqual({ text: "B" });
  });

  test("cancelling ends it at once, and once", async () => {
    const id = await insertWaitingRun(chain);
    const { executor } = executors.make({ a: [{ text: ["some", " words"], paceMs: 10_000 }] });
    executor.wake();
    while ((await getRun(localViewer, id)).state.nodes.at(-1)?.output.text !== "some") await sleepFor(5);
    await executor.cancel(id);
    const run = await waitForEnd(id);
    expect(run.status).toBe("CANCELLED");
    expect(run.state.nodes.every(({ status }) => status === "CANCELLED")).toBe(true);
    expect(run.state.nodes.find(({ path }) => path === "a")?.output.text).toBe("some");
    await cancelRun(localViewer, id);
    expect(await getRun(localViewer, id)).toEqual(run);
  });

  test("a cancel that another process took is seen at the next heartbeat", async () => {
    const id = await insertWaitingRun(chain);
    const { executor } = executors.make({ a: [{ text: "never", delayMs: 60_000 }] });
    executor.wake();
    while ((await getRun(localViewer, id)).status !== "RUNNING") await sleepFor(5);
    await db.run.update({ where: { id }, data: { cancelRequested: true } });
    await executor.beat();
    expect((await waitForEnd(id)).status).toBe("CANCELLED");
  });

  test("a run that waits is cancelled without being driven", async () => {
    const id = await insertWaitingRun(chain);
    const { executor, models } = executors.make({});
    await executor.cancel(id);
    expect(await getRun(localViewer, id)).toMatchObject({ status: "CANCELLED", state: { nodes: [] } });
    executor.wake();
    await sleepFor(30);
    expect(models.requests).toEqual([]);
  });

  test("a run whose text is damaged in the store fails with a message", async () => {
    const id = await insertWaitingRun(chain, "go", { messages: "no JSON" });
    executors.make({}).executor.wake();
    expect(await waitForEnd(id)).toMatchObject({ status: "FAILED", error: { code: "internal" } });
  });

  test("deleting its flow stops a run of another process, and waits for its end", async () => {
    const id = await insertWaitingRun(chain);
    const script: Script = { a: [{ text: ["1", "2", "3"], paceMs: 60_000 }], b: [{ text: "B" }] };
    const { executor, models } = executors.make(script, { heartbeatMs: 50 });
    executor.start();
    executor.wake();
    while ((await getRun(localViewer, id)).status !== "RUNNING") await sleepFor(5);
    const run = await getRun(localViewer, id);
    const stream = await streamRunEvents(toReader(localViewer), id, 0);
    const reading = new Response(stream).text().catch(String);
    await trashFlow(localViewer, run.flowId);
    await purgeFlow(localViewer, run.flowId);
    expect(await codeOf(getRun(localViewer, id))).toBe("not_found");
    expect(await reading).toMatch(/"status":"CANCELLED"|There is no such run/);
    expect(models.requestsOf("b")).toEqual([]);
  });
});

describe("following", () => {
  const readAll = async (stream: ReadableStream<Uint8Array>): Promise<number[]> => {
    const text = await new Response(stream).text();
    return [...text.matchAll(/^id: (\d+)$/gm)].map((match) => Number(match[1]));
  };

  test("follows a run live to its end, without a gap or a double", async () => {
    const id = await insertWaitingRun(chain);
    const stream = await streamRunEvents(toReader(localViewer), id, 0);
    const reading = readAll(stream);
    executors
      .make({
        a: [{ text: ["x", "y", "z"], paceMs: 15 }],
        b: [{ text: ["1", "2"], paceMs: 15 }],
      })
      .executor.wake();
    const seen = await reading;
    const all = (await listRunEvents(localViewer, id, 0, 1000)).map(({ seq }) => seq);
    expect(seen).toEqual(all);
    expect(await readAll(await streamRunEvents(toReader(localViewer), id, 4))).toEqual(all.slice(4));
    expect(await readAll(await streamRunEvents(toReader(localViewer), id, all.length))).toEqual([]);
  });

  test("ends for a reader who was removed from the team meanwhile", async () => {
    const id = await insertWaitingRun(chain, "go", { status: "RUNNING", leaseUntil: new Date(Date.now() + 60_000) });
    const member = { ...localViewer, id: "member" };
    let roles: Viewer["roles"] = member.roles;
    const reader = { ...toReader(member), reload: async () => ({ ...member, roles }), reloadMs: 20 };
    const reading = readAll(await streamRunEvents(reader, id, 0));
    const first = await Promise.race([reading.catch(() => "ended"), sleepFor(1_500).then(() => "open")]);
    expect(first).toBe("open");
    roles = new Map();
    await expect(reading).rejects.toThrow();
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });

  test("ends when the reader goes away", async () => {
    const id = await insertWaitingRun(chain, "go", { status: "RUNNING", leaseUntil: new Date(Date.now() + 60_000) });
    const controller = new AbortController();
    const stream = await streamRunEvents(toReader(localViewer, controller.signal), id, 0);
    const reading = readAll(stream);
    controller.abort();
    expect(await reading).toEqual([]);
    await db.run.update({ where: { id }, data: { status: "FAILED" } });
  });
});
