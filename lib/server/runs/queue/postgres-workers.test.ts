import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { answerQuestion, cancelRun, startRun } from "../commands";
import { onRunWritten } from "../store/notify-run";
import { listWorkers } from "./workers";

const root = path.join(import.meta.dirname, "../../../..");
const workers: ChildProcess[] = [];
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-workers-"));
let db: Db;

/** Starts the real command, and resolves when it is ready. */
async function startWorker(env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(root, "lib/cli/swarmloom.mjs"), "worker"], {
    env: { ...process.env, SWARMLOOM_DATA: folder, NODE_ENV: "production", SWARMLOOM_DEMO_SPEED: "1", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  workers.push(child);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  await until(() => output.includes("the worker is ready") || child.exitCode !== null);
  if (child.exitCode !== null) throw new Error(`the worker ended: ${output}`);
  return child;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 25_000; Date.now() < end; await sleep(20)) if (await isTrue()) return;
  throw new Error("it did not become true within 25 s");
}

async function stop(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.kill(signal);
  return ended;
}

const statusOf = async (id: string): Promise<string> =>
  (await db.run.findUniqueOrThrow({ where: { id }, select: { status: true } })).status;
const ownerOf = async (id: string): Promise<string | null> =>
  (await db.run.findUniqueOrThrow({ where: { id }, select: { owner: true } })).owner;

const start = async (flowText: string, input = "x", declarations = ""): Promise<string> => {
  const agents = ["a", "b"].map((name) => `  ${name}: { model: "demo:assistant" }\n`).join("");
  const source = `name: Work\nagents:\n${agents}${declarations}swarm: { flow: ${flowText} }\n`;
  const flow = await createFlow(localViewer, { source });
  return (await startRun(localViewer, flow.id, { input })).id;
};

beforeAll(async () => {
  db = await startServices();
});
afterEach(async () => {
  for (const child of workers.splice(0)) await stop(child, "SIGKILL");
  await db.worker.deleteMany();
});
afterAll(async () => {
  await globalThis.swarmloomServices?.endRuns();
  await globalThis.swarmloomServices?.closeDatabase();
  rmSync(folder, { recursive: true, force: true });
});

describe("a web process", () => {
  it("drives the runs as long as there is no worker", async () => {
    const id = await start("a >> b");
    await until(async () => (await statusOf(id)) === "SUCCESS");
  });

  it("drives none while there is a worker, and hears at once what that writes", async () => {
    const worker = await startWorker();
    const [{ id: workerId } = { id: "" }] = await listWorkers(db);
    // The web process notices the worker with its next heartbeat.
    await sleep(2_500);
    const id = await start("a", "demo: slow");
    let writes = 0;
    const stopListening = onRunWritten(id, () => writes++);
    await until(async () => (await ownerOf(id)) !== null);
    expect(await ownerOf(id)).toBe(workerId);
    await until(() => writes > 2);
    stopListening();
    await cancelRun(localViewer, id);
    const cancelledAt = Date.now();
    await until(async () => (await statusOf(id)) === "CANCELLED");
    expect(Date.now() - cancelledAt).toBeLessThan(2_000);
    expect(await stop(worker, "SIGTERM")).toBe(0);
    expect(await listWorkers(db)).toEqual([]);
  });
});

describe("a worker", () => {
  it("hands its runs back when it is stopped, and another goes on at once", async () => {
    const first = await startWorker();
    await sleep(2_500);
    const id = await start("a", "demo: slow");
    await until(async () => (await statusOf(id)) === "RUNNING");
    const owner = await ownerOf(id);
    await startWorker();
    expect(await stop(first, "SIGTERM")).toBe(0);
    await until(async () => ![owner, null].includes(await ownerOf(id)));
    await cancelRun(localViewer, id);
    await until(async () => (await statusOf(id)) === "CANCELLED");
  });

  it("goes on with a run when a person has answered elsewhere", async () => {
    await startWorker();
    await sleep(2_500);
    const id = await start("a >> ok >> b", "x", 'approvals: { ok: { message: "Go on?" } }\n');
    await until(async () => (await statusOf(id)) === "WAITING");
    const node = await db.runNode.findFirstOrThrow({ where: { runId: id, status: "WAITING" } });
    const asked = await db.runEvent.findFirstOrThrow({ where: { runId: id, type: "answer.requested" } });
    await answerQuestion(localViewer, id, node.nodeId, { question: asked.seq, decision: "approved" });
    await until(async () => (await statusOf(id)) === "SUCCESS");
  });
});

test("runs that wait without a job, as those of a process that died, are taken with the next heartbeat", async () => {
  const id = await start("a");
  await until(async () => (await statusOf(id)) === "SUCCESS");
  const run = await db.run.findUniqueOrThrow({ where: { id } });
  await db.run.create({ data: { ...run, id: "lost", status: "INIT", owner: null, epoch: 0 } });
  await until(async () => (await statusOf("lost")) !== "INIT");
});
