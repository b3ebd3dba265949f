import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { Collector } from "@/e2e/fixtures/collector";
import { noUsage } from "@/lib/core/run/events/usage";
import type { RunNode } from "@/lib/core/trace/model/run-state";
import type { AppErrorCode } from "../app-error";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow } from "../flows/commands";
import type { AllowedHost } from "../net/allow-list";
import { getExecutor } from "../runs/drive/executor";
import { toNodeRow } from "../runs/drive/run-recorder";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { toolPort } from "../tools/registry";
import { saveTraceExport, sendTestSpan } from "./commands";
import { findTraceExport } from "./queries";
import { type TraceExportSetting, traceExportSchema } from "./trace-export-setting";
import { TraceSender } from "./trace-sender";

const allowed: { agents: AllowedHost[]; traces: AllowedHost[] } = vi.hoisted(() => ({ agents: [], traces: [] }));
vi.mock(import("../env"), async (original) => {
  const real = await original();
  const getEnv = () => ({
    ...real.getEnv(),
    SWARMLOOM_HTTP_ALLOW: allowed.agents,
    SWARMLOOM_TRACE_ALLOW: allowed.traces,
  });
  return { ...real, getEnv };
});

const member = toTeamViewer(localViewer, { teamId: localTeamId, role: "editor" });
const other = toTeamViewer({ id: "o", name: "O" }, { teamId: "elsewhere", role: "owner" });
const secret = "Bearer k-1234567890";

let db: Db;
let collector: Collector;
let setting: TraceExportSetting;
let flow: { id: string; revision: string };
/** The clock of the sender under test. */
let now = 0;
let sender: TraceSender;

beforeAll(async () => {
  db = await startServices();
  getExecutor().stop();
  globalThis.swarmloomTraceSender?.stop();
  flow = await createFlow(localViewer, { source: "swarm: { type: workflow, flow: a }" });
});
beforeEach(async () => {
  collector = new Collector();
  await collector.start();
  vi.stubEnv("SWARMLOOM_OTLP_AUTH", secret);
  allowed.traces = [{ host: "127.0.0.1", port: Number(new URL(collector.url).port) }];
  allowed.agents = [];
  setting = {
    endpoint: collector.url,
    headers: { authorization: "SWARMLOOM_OTLP_AUTH" },
    content: false,
    enabled: true,
  };
  now = Date.now();
  sender = new TraceSender(db, { everyMs: 1e9, now: () => now });
  await db.traceExport.deleteMany();
  await db.run.deleteMany();
});
afterEach(() => {
  expect(collector.problems).toEqual([]);
  collector.stop();
  vi.unstubAllEnvs();
});
afterAll(() => sender.stop());

/** The row of a run with one step. */
async function insertRun(row: object = {}): Promise<string> {
  const { id } = await db.run.create({
    data: {
      ...newRow(),
      flowId: flow.id,
      revisionId: flow.revision,
      flowName: "T",
      status: "SUCCESS",
      input: "private",
      createdAt: new Date(now),
      endedAt: new Date(now + 1000),
      epoch: 1,
      ...row,
    },
  });
  const node: RunNode = {
    id: 1,
    path: "/",
    kind: "swarm",
    name: "T",
    status: "SUCCESS",
    startedAt: now,
    endedAt: now + 1000,
    input: { text: "private" },
    output: { text: "private too" },
    reasoning: "",
    attempts: [],
    usage: noUsage,
    metadata: {},
    simulated: false,
  };
  await db.runNode.create({ data: { runId: id, ...toNodeRow(node) } });
  return id;
}

const traceOf = (id: string): string => id.replaceAll("-", "");
const stateOf = (id: string) =>
  db.run.findUniqueOrThrow({ where: { id }, select: { traceDone: true, traceTries: true } });
const refused = (pending: Promise<unknown>, code: AppErrorCode): Promise<void> =>
  expect(pending).rejects.toMatchObject({ code });

describe("who may", () => {
  test("administrators alone see, set and try it", async () => {
    await refused(findTraceExport(member), "forbidden");
    await refused(saveTraceExport(member, setting), "forbidden");
    await refused(sendTestSpan(member, setting), "forbidden");
    expect([await db.traceExport.count(), collector.bodies]).toEqual([0, []]);
  });

  test("each team has its own", async () => {
    expect(await findTraceExport(localViewer)).toBeNull();
    await saveTraceExport(localViewer, setting);
    expect(await findTraceExport(localViewer)).toMatchObject({ ...setting, lastSentAt: null, lastError: null });
    expect(await findTraceExport(other)).toBeNull();
    await saveTraceExport(other, { ...setting, headers: {}, enabled: false });
    expect(await findTraceExport(localViewer)).toMatchObject({ enabled: true });
  });
});

describe("what is set", () => {
  const problemOf = (change: object): string =>
    traceExportSchema.safeParse({ ...setting, ...change }).error?.issues[0]?.message ?? "fine";

  test.each([
    ["another protocol", { endpoint: "file:///etc/passwd" }, "begins with http:// or https://"],
    ["no address", { endpoint: "collector" }, "a whole URL"],
    ["a password in it", { endpoint: "https://a:b@example.com/" }, "user or a password"],
    ["a key in it", { endpoint: "https://example.com/?key=1" }, "goes into a header"],
    ["another secret", { headers: { authorization: "OPENAI_API_KEY" } }, "begins with SWARMLOOM_OTLP_"],
    ["a path as variable", { headers: { a: "SWARMLOOM_OTLP_A\nB" } }, "begins with SWARMLOOM_OTLP_"],
    ["a header that is none", { headers: { "a b": "SWARMLOOM_OTLP_A" } }, 'name of a header, found "a b"'],
    ["a header of the connection", { headers: { Host: "SWARMLOOM_OTLP_A" } }, 'sets the header "Host" itself'],
    ["a field too many", { key: "x" }, "Unrecognized key"],
    ["an endless address", { endpoint: `https://example.com/${"a".repeat(2000)}` }, "2000"],
  ])("refuses %s", (_, change, words) => {
    expect(problemOf(change)).toContain(words);
  });

  test("stores names, never values", async () => {
    await saveTraceExport(localViewer, setting);
    expect(JSON.stringify(await db.traceExport.findMany())).not.toContain("1234567890");
  });
});

describe("what cannot be read", () => {
  test("keeps no other run from being sent, and is not attempted again", async () => {
    await saveTraceExport(localViewer, setting);
    const broken = await insertRun();
    await db.runNode.updateMany({ where: { runId: broken }, data: { body: "no JSON" } });
    const whole = await insertRun({ endedAt: new Date(now + 2000) });
    now += 3000;
    await sender.look();
    expect(await stateOf(whole)).toMatchObject({ traceDone: true });
    expect(await stateOf(broken)).toMatchObject({ traceDone: true });
    expect((await findTraceExport(localViewer))?.lastError).toBeNull();
  });

  test("of one team's setting keeps no other team's runs from being sent", async () => {
    await saveTraceExport(localViewer, setting);
    const row = await db.traceExport.findFirstOrThrow();
    await db.traceExport.create({ data: { ...row, teamId: "a-broken", headers: "no JSON" } });
    await db.traceExport.delete({ where: { teamId: localTeamId } });
    await db.traceExport.create({ data: row });
    const id = await insertRun();
    now += 2000;
    await sender.look();
    expect(await stateOf(id)).toMatchObject({ traceDone: true });
  });
});

describe("a test span", () => {
  test("arrives with the headers, and reports success", async () => {
    const answer = await sendTestSpan(localViewer, setting);
    expect(answer).toMatchObject({ ok: true, message: "Status 200: the collector took the span." });
    expect(collector.spans.map(({ name }) => name)).toEqual(["swarmloom test"]);
    expect(collector.headers[0]).toMatchObject({ authorization: secret, "content-type": "application/json" });
  });

  test("reports the text of the collector, without the secret that it repeats", async () => {
    collector.answer = { status: 401, body: `bad token ${secret} or k-1234567890` };
    const { ok, message } = await sendTestSpan(localViewer, setting);
    expect([ok, message]).toEqual([false, "The collector answered with status 401: bad token [key] or [key]"]);
  });

  test("follows no redirect", async () => {
    collector.answer = { status: 307, body: "", headers: { location: collector.url } };
    expect(await sendTestSpan(localViewer, setting)).toMatchObject({ ok: false, message: /redirects/ });
    expect(collector.bodies.length).toBe(1);
  });

  test("reaches what is not public by its own permission, which opens nothing for agents, and theirs nothing for it", async () => {
    const agentTool = toolPort.find("http_request");
    const world = { signal: new AbortController().signal, now: Date.now, idempotencyKey: "run:path" };
    const ask = async () => agentTool?.execute(agentTool.input.parse({ url: collector.url }), world);
    expect(await sendTestSpan(localViewer, setting)).toMatchObject({ ok: true });
    await expect(ask()).rejects.toThrow("naming it in SWARMLOOM_HTTP_ALLOW");
    expect(collector.bodies).toHaveLength(1);

    allowed.agents = allowed.traces;
    allowed.traces = [];
    const { ok, message } = await sendTestSpan(localViewer, setting);
    expect([ok, message]).toEqual([false, expect.stringContaining("naming it in SWARMLOOM_TRACE_ALLOW")]);
    expect(collector.bodies).toHaveLength(1);
    vi.stubEnv("PORT", new URL(collector.url).port);
    await expect(ask()).rejects.toThrow("it is the address of this server itself");
    expect(collector.bodies).toHaveLength(1);
  });

  test("names the missing variable, and sends nothing", async () => {
    vi.stubEnv("SWARMLOOM_OTLP_AUTH", "");
    const { message } = await sendTestSpan(localViewer, setting);
    expect([message, collector.bodies]).toEqual([expect.stringContaining("SWARMLOOM_OTLP_AUTH is not set"), []]);
  });

  test("spans that the collector refuses count as not sent", async () => {
    collector.answer = { status: 200, body: '{"partialSuccess":{"rejectedSpans":"1","errorMessage":"too old"}}' };
    expect(await sendTestSpan(localViewer, setting)).toMatchObject({
      ok: false,
      message: "The collector refused 1 spans: too old",
    });
  });
});

describe("runs that have ended", () => {
  test("are sent once, without their texts", async () => {
    await saveTraceExport(localViewer, setting);
    const id = await insertRun();
    await sender.look();
    await sender.look();
    expect(collector.spans.map(({ traceId, name }) => [traceId, name])).toEqual([[traceOf(id), "invoke_workflow T"]]);
    expect(collector.bodies.join()).not.toContain("private");
    expect(await stateOf(id)).toEqual({ traceDone: true, traceTries: 1 });
    expect(await findTraceExport(localViewer)).toMatchObject({ lastSentAt: now, lastError: null });
  });

  test("with their texts where that is set", async () => {
    await saveTraceExport(localViewer, { ...setting, content: true });
    await insertRun();
    await sender.look();
    expect(collector.bodies.join()).toContain("private too");
  });

  test("are tried again after growing waits, by whichever process, and given up in the end", async () => {
    await saveTraceExport(localViewer, setting);
    collector.answer = { status: 503, body: "busy" };
    const id = await insertRun();
    const times: number[] = [];
    for (let second = 0; second < 12_000; second += 10) {
      const before = collector.bodies.length;
      // Each look is that of a process that has just started.
      await new TraceSender(db, { everyMs: 1e9, now: () => now }).look();
      if (collector.bodies.length > before) times.push(second);
      now += 10_000;
    }
    expect(times).toEqual([0, 10, 70, 370, 2170, 9370]);
    expect(await stateOf(id)).toEqual({ traceDone: true, traceTries: 6 });
    expect((await findTraceExport(localViewer))?.lastError).toBe("The collector answered with status 503: busy");
  });

  test("that a collector will never take are not tried again", async () => {
    await saveTraceExport(localViewer, setting);
    collector.answer = { status: 400, body: "no" };
    const id = await insertRun();
    await sender.look();
    expect(await stateOf(id)).toEqual({ traceDone: true, traceTries: 1 });
  });

  test("arrive after a failure", async () => {
    await saveTraceExport(localViewer, setting);
    collector.answer = { status: 503, body: "" };
    await insertRun();
    await sender.look();
    collector.answer = { status: 200, body: "{}" };
    now += 10_000;
    await sender.look();
    expect(collector.spans.length).toBe(1);
    expect((await findTraceExport(localViewer))?.lastError).toBeNull();
  });

  test.each([
    ["of other teams", { teamId: "elsewhere" }],
    ["that go on", { status: "RUNNING", endedAt: null }],
    ["that ended before it was on", { endedAt: new Date(0) }],
  ])("%s stay here", async (_, row) => {
    await saveTraceExport(localViewer, setting);
    await insertRun(row);
    await sender.look();
    expect(collector.bodies).toEqual([]);
  });

  test("stay here while it is off, and what ended meanwhile stays for good", async () => {
    await saveTraceExport(localViewer, { ...setting, enabled: false });
    await insertRun({ endedAt: new Date(Date.now() - 1) });
    await sender.look();
    await saveTraceExport(localViewer, setting);
    await sender.look();
    expect(collector.bodies).toEqual([]);
  });

  test("two looks at once send each run once", async () => {
    await saveTraceExport(localViewer, setting);
    await insertRun();
    const second = new TraceSender(db, { everyMs: 1e9, now: () => now });
    await Promise.all([sender.look(), second.look(), sender.look()]);
    expect(collector.bodies.length).toBe(1);
  });
});
