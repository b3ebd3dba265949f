import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { chunk, type RawServer, sendStream, startRawServer } from "../../models/testing/raw-server";
import { startServices } from "../../start";
import { answerQuestion, cancelRun, startRun } from "../commands";
import { pauseRun, resumeRun } from "../pause";
import { streamTrace } from "../read/event-stream";
import { getRun } from "../read/queries";
import { toReader } from "../testing/stream-reader";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const agents = ["a", "b", "c", "d"].map((name) => `  ${name}: { model: "compatible:${name}" }\n`).join("");
const sourceOf = (flow: string): string =>
  `name: Pauses\nagents:\n${agents}approvals: { ok: { message: "Go on?" } }\nswarm: { flow: ${flow} }\n`;

let db: Db;
let server: RawServer;
/** Answers that the model server holds back, and how often each model was asked. */
const held: ServerResponse[] = [];
const asked = new Map<string, number>();

beforeAll(async () => {
  server = await startRawServer((response, body) => {
    const model = /"model":"(\w+)"/.exec(body)?.[1] ?? "";
    asked.set(model, (asked.get(model) ?? 0) + 1);
    held.push(response);
  });
  vi.stubEnv("COMPATIBLE_BASE_URL", `${server.url}/v1`);
  db = await startServices();
});
beforeEach(() => asked.clear());
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(5);
}

const letOneAnswer = (): void => {
  const response = held.shift();
  if (response) sendStream(response, [chunk({ content: "fine" }), chunk({}, "stop"), "data: [DONE]\n\n"]);
};

const start = async (flow: string): Promise<string> => {
  const { id } = await createFlow(localViewer, { source: sourceOf(flow) });
  return (await startRun(localViewer, id, { input: "go" })).id;
};
const rowOf = (id: string) => db.run.findUniqueOrThrow({ where: { id } });
const untilStatus = (id: string, status: string) => until(async () => (await rowOf(id)).status === status);
/** Its driver has let go of it. */
const untilParked = (id: string) =>
  until(async () => (await rowOf(id)).status === "PAUSED" && (await rowOf(id)).owner === null);
async function ended(id: string) {
  await until(async () => isTerminal((await getRun(localViewer, id)).status));
  return getRun(localViewer, id);
}

const codeOf = (pending: Promise<unknown>): Promise<unknown> =>
  pending.then(
    () => "done",
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );

describe("a run that is paused", () => {
  test("during parallel branches lets their calls finish, begins none, and makes none twice once it is resumed", async () => {
    const id = await start("(a >> c | b) >> d");
    await until(() => held.length === 2);
    await pauseRun(localViewer, id);
    letOneAnswer();
    await until(async () => (await getRun(localViewer, id)).usage.calls === 1);
    expect((await rowOf(id)).status).toBe("RUNNING");
    letOneAnswer();
    await untilParked(id);
    expect([(await rowOf(id)).leaseUntil, Object.fromEntries(asked)]).toEqual([null, { a: 1, b: 1 }]);
    const paused = await getRun(localViewer, id);
    expect(paused.state.status).toBe("PAUSED");
    expect(paused.state.nodes.filter(({ kind, status }) => kind === "llm_call" && status === "SUCCESS")).toHaveLength(
      2,
    );
    await resumeRun(localViewer, id);
    await until(() => held.length === 1);
    letOneAnswer();
    await until(() => held.length === 1);
    letOneAnswer();
    const { status, usage } = await ended(id);
    expect([status, usage.calls, Object.fromEntries(asked)]).toEqual(["SUCCESS", 4, { a: 1, b: 1, c: 1, d: 1 }]);
  });

  test("tells those who follow it, at once", async () => {
    const id = await start("a >> b");
    await until(() => held.length === 1);
    const controller = new AbortController();
    const frames: string[] = [];
    const stream = await streamTrace(toReader(localViewer, controller.signal), id, 0);
    const reading = (async () => {
      for await (const bytes of stream) frames.push(new TextDecoder().decode(bytes));
    })();
    await pauseRun(localViewer, id);
    letOneAnswer();
    await until(() => frames.some((frame) => frame.includes('"paused":true')));
    await resumeRun(localViewer, id);
    await until(() => frames.some((frame) => frame.includes('"paused":false')));
    await until(() => held.length === 1);
    letOneAnswer();
    await reading;
    expect((await ended(id)).status).toBe("SUCCESS");
  });

  test("while a person is asked takes the answer, and goes on with it once it is resumed", async () => {
    const id = await start("ok >> a");
    await untilStatus(id, "WAITING");
    await pauseRun(localViewer, id);
    await untilParked(id);
    const waiting = (await getRun(localViewer, id)).state.nodes.find(({ status }) => status === "WAITING");
    const answer = { decision: "approved", question: waiting?.question?.number ?? 0 } as const;
    await answerQuestion(localViewer, id, waiting?.id ?? 0, answer);
    expect((await rowOf(id)).status).toBe("PAUSED");
    await resumeRun(localViewer, id);
    await until(() => held.length === 1);
    letOneAnswer();
    expect((await ended(id)).status).toBe("SUCCESS");
  });

  test("can be cancelled", async () => {
    const id = await start("a >> b");
    await until(() => held.length === 1);
    await pauseRun(localViewer, id);
    letOneAnswer();
    await untilStatus(id, "PAUSED");
    await cancelRun(localViewer, id);
    const run = await ended(id);
    expect([run.status, run.usage.calls, asked.get("b")]).toEqual(["CANCELLED", 1, undefined]);
    expect(run.state.nodes.every(({ status }) => isTerminal(status))).toBe(true);
  });

  test("goes on as if nothing was when the pause is withdrawn before it takes effect", async () => {
    const id = await start("a");
    await until(() => held.length === 1);
    await pauseRun(localViewer, id);
    await resumeRun(localViewer, id);
    letOneAnswer();
    const { status, state } = await ended(id);
    expect([status, state.resumedAt]).toEqual(["SUCCESS", undefined]);
  });

  test("is paused and resumed any number of times; each request may come twice", async () => {
    const id = await start("a >> b >> c >> d");
    for (const name of ["a", "b", "c"]) {
      await until(() => held.length === 1);
      await pauseRun(localViewer, id);
      await pauseRun(localViewer, id);
      letOneAnswer();
      await untilParked(id);
      await pauseRun(localViewer, id);
      expect(asked.get(name)).toBe(1);
      await Promise.all([resumeRun(localViewer, id), resumeRun(localViewer, id)]);
    }
    await until(() => held.length === 1);
    letOneAnswer();
    expect([(await ended(id)).status, asked.size]).toEqual(["SUCCESS", 4]);
  });

  test("ends as it would when its last step is under way; what has ended is neither paused nor resumed", async () => {
    const id = await start("a");
    await until(() => held.length === 1);
    await pauseRun(localViewer, id);
    letOneAnswer();
    expect((await ended(id)).status).toBe("SUCCESS");
    expect([await codeOf(pauseRun(localViewer, id)), await codeOf(resumeRun(localViewer, id))]).toEqual([
      "conflict",
      "conflict",
    ]);
    expect([await codeOf(pauseRun(stranger, id)), await codeOf(resumeRun(stranger, id))]).toEqual([
      "not_found",
      "not_found",
    ]);
  });
});
