import { beforeAll, describe, expect, test, vi } from "vitest";
import { readTraces } from "@/e2e/fixtures/read-traces";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { noUsage } from "@/lib/core/run/events/usage";
import { ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { callsOf } from "@/lib/core/trace/conversation/call-messages";
import { readRunFile } from "@/lib/core/trace/file/run-file";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { localViewer, toTeamViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { toDownload } from "../../http/route";
import { sleep } from "../../sleep";
import { startServices } from "../../start";
import { toolPort } from "../../tools/registry";
import { Executor, getExecutor } from "../drive/executor";
import { toNodeRow } from "../drive/run-recorder";
import { newRow } from "../testing/insert-runs";
import { type ExportedRun, exportRunFile, exportTrace } from "./export-run";
import { getRun, getRunNode } from "./queries";

const stranger = toTeamViewer({ id: "stranger", name: "S" }, { teamId: "elsewhere", role: "editor" });
const source = `name: Two
agents:
  a: { model: "compatible:x", tools: [calculator] }
  b: { model: "compatible:x" }
swarm: { type: workflow, flow: a >> b }
`;
const long = "word ".repeat(20_000);

let db: Db;
let flow: { id: string; revision: string };
let id = "";

/** A row for a run of the flow. */
async function insertRun(row: object = {}): Promise<string> {
  const run = { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "Two", input: long, ...row };
  await db.run.create({ data: run });
  return run.id;
}

beforeAll(async () => {
  db = await startServices();
  getExecutor().stop();
  flow = await createFlow(localViewer, { source });
  id = await insertRun();
  const calls = [{ name: "calculator", arguments: { expression: "6 * 7" } }];
  const models = new ScriptedModels({ a: [{ calls }, { text: long }], b: [{ text: "short" }] }, sleep);
  const context = { models, tools: toolPort, now: Date.now, random: () => 0, sleep };
  const executor = new Executor(db, { concurrency: 1, context });
  executor.wake();
  await vi.waitUntil(async () => isTerminal((await getRun(localViewer, id)).status), 20_000);
  executor.stop();
});

async function piecesOf({ pieces }: ExportedRun): Promise<string[]> {
  const all: string[] = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}
const textOf = async (exported: ExportedRun): Promise<string> => (await piecesOf(exported)).join("");

describe("a run as a file", () => {
  test("holds everything, whole, and is read without a server", async () => {
    const { run, nodes } = await getRun(localViewer, id).then((run) => ({ run, nodes: run.state.nodes }));
    expect(run.status).toBe("SUCCESS");
    const exported = await exportRunFile(localViewer, id);
    expect(exported.name).toBe(`swarmloom-run-${id}.json`);
    const file = readRunFile(await textOf(exported));
    expect(file).toMatchObject({
      run: { id, flowName: "Two", status: "SUCCESS", input: { text: long }, output: { text: "short" } },
      source,
      layout: { pins: {} },
    });
    const whole = await Promise.all(nodes.map((node) => getRunNode(localViewer, id, node.id)));
    expect("nodes" in file && file.nodes).toEqual(whole);
    expect(whole.some(({ output }) => output.text.length > payloadLimit)).toBe(true);
  });

  test("a run that goes on is there as far as it went", async () => {
    const node = { path: "/", kind: "swarm", name: "Two", status: "RUNNING", startedAt: 5 } as const;
    const running = await insertRun({ status: "RUNNING", leaseUntil: new Date(Date.now() + 1e9) });
    const body = { ...node, id: 1, input: { text: "x" }, output: { text: "" }, reasoning: "", attempts: [] };
    await db.runNode.create({
      data: { runId: running, ...toNodeRow({ ...body, usage: noUsage, metadata: {}, simulated: false }) },
    });
    const file = readRunFile(await textOf(await exportRunFile(localViewer, running)));
    expect(file).toMatchObject({ run: { status: "RUNNING", endedAt: null }, nodes: [{ status: "RUNNING" }] });
    const [span] = readTraces(await textOf(await exportTrace(localViewer, running, { content: true })));
    expect(span).toMatchObject({ name: "invoke_workflow Two", status: {} });
  });
});

describe("a run as a trace", () => {
  test("is read by OpenTelemetry, with texts only where they are asked for", async () => {
    const exported = await exportTrace(localViewer, id, { content: false });
    expect(exported.name).toBe(`swarmloom-run-${id}.otlp.json`);
    const plain = await textOf(exported);
    expect(plain).not.toContain("word word");
    const spans = readTraces(plain);
    expect(spans.map(({ name }) => name)).toEqual([
      "invoke_workflow Two",
      "invoke_agent a",
      "chat x",
      "execute_tool calculator",
      "chat x",
      "invoke_agent b",
      "chat x",
    ]);
    const [calling, tool] = (await getRun(localViewer, id)).state.nodes.slice(2);
    const [call] = calling ? callsOf(calling) : [];
    expect([tool?.kind, call?.name]).toEqual(["tool_call", "calculator"]);
    expect(spans[3]?.attributes).toContainEqual({ key: "gen_ai.tool.call.id", value: { stringValue: call?.id } });
    const content = await textOf(await exportTrace(localViewer, id, { content: true }));
    expect(readTraces(content).length).toBe(spans.length);
    expect(content).toContain(long);
  });

  test("comes in pieces", async () => {
    const pieces = await piecesOf(await exportTrace(localViewer, id, { content: true }));
    expect(pieces.length).toBeGreaterThan(2);
  });
});

test("outsiders find nothing", async () => {
  const notFound = { code: "not_found" };
  await expect(exportRunFile(stranger, id)).rejects.toMatchObject(notFound);
  await expect(exportTrace(stranger, id, { content: true })).rejects.toMatchObject(notFound);
  await expect(exportRunFile(localViewer, "none")).rejects.toMatchObject(notFound);
});

test("is a download, and stops reading when the client stops", async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield "é";
    } finally {
      ended = true;
    }
  }
  const answer = toDownload({ name: "a.json", pieces: endless() });
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="a.json"');
  const reader = answer.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("é");
  await reader?.cancel();
  expect(ended).toBe(true);
});
