import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setInterval as ticks } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localViewer } from "../auth/viewer";
import { getDatabaseLocation } from "../env";
import { createFlow } from "../flows/commands";
import { getFlow } from "../flows/queries";
import { startServices } from "../start";
import { TestEditor } from "./testing/test-editor";

const source = 'name: Looms\nagents:\n  a: { model: "demo:writer" }\nswarm: { type: workflow, flow: a }\n';
const root = path.join(import.meta.dirname, "../../..");
/** Edits of one editor in a burst of a second. */
const editsPerSecond = 36;
const editorCount = 5;
const patience = { timeout: 60_000 };

/** A server in a process of its own, which starts again on its port after it was killed. */
class LiveServer {
  #child: ChildProcess | null = null;
  #port = 0;

  async start(): Promise<void> {
    const file = path.join(import.meta.dirname, "testing/live-server.ts");
    const args = ["--conditions=react-server", "--import", "tsx", file, String(this.#port)];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    this.#child = child;
    const port = new Promise<number>((resolve) => {
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const found = /^port (\d+)$/m.exec(output)?.[1];
        if (found) resolve(Number(found));
      });
    });
    const ended = once(child, "exit").then(() => Promise.reject(new Error("the server ended")));
    this.#port = await Promise.race([port, ended]);
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  connect(flowId: string): TestEditor {
    return new TestEditor(`ws://127.0.0.1:${this.#port}/api/v1/flows/${flowId}/live`);
  }
}

/** One on SQLite; two, which edit the same flows, on PostgreSQL. */
const servers: LiveServer[] = [];

beforeAll(async () => {
  await startServices();
  const count = getDatabaseLocation().type === "sqlite" ? 1 : 2;
  servers.push(...Array.from({ length: count }, () => new LiveServer()));
  await Promise.all(servers.map((server) => server.start()));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.kill()));
});

/** Editors on all servers by turns. */
async function openEditors(flowId: string): Promise<TestEditor[]> {
  const editors = Array.from({ length: editorCount }, (_, index) => servers[index % servers.length]?.connect(flowId));
  const found = editors.filter((editor) => editor !== undefined);
  for (const editor of found) (await editor.connect()).join();
  await expect.poll(() => found.every((editor) => editor.text !== ""), patience).toBe(true);
  return found;
}

/** Everyone types for a second without a pause; lines are `# EDITOR.BURST.NUMBER`. Returns the lines. */
async function type(editors: readonly TestEditor[], burst: number): Promise<string[]> {
  const lines: string[] = [];
  let number = 0;
  for await (const _ of ticks(1_000 / editsPerSecond)) {
    for (const [index, editor] of editors.entries()) {
      const line = `# ${index}.${burst}.${number}\n`;
      lines.push(line);
      editor.type((text) => (index % 2 === 0 ? text + line : line + text));
    }
    if (++number === editsPerSecond) return lines;
  }
  return lines;
}

/** What a text has wrong: lines that it lacks or has twice. */
function listFaults(text: string, lines: readonly string[]): string[] {
  return lines.filter((line) => text.split(line).length !== 2);
}

async function expectSame(editors: readonly TestEditor[], lines: readonly string[]): Promise<void> {
  await expect.poll(() => new Set(editors.map(({ text }) => text)).size, patience).toBe(1);
  await expect.poll(() => listFaults(editors[0]?.text ?? "", lines), patience).toEqual([]);
}

/** Opens the document again in every server, and saves it. */
async function expectStored(flowId: string, lines: readonly string[]): Promise<void> {
  for (const server of servers) {
    const reader = await server.connect(flowId).connect();
    reader.join();
    await expect.poll(() => listFaults(reader.text, lines), patience).toEqual([]);
    reader.save();
    await expect.poll(() => reader.find("saved"), patience).toBeDefined();
    reader.cut();
  }
  expect(listFaults((await getFlow(localViewer, flowId)).source, lines)).toEqual([]);
}

describe("five editors that type 36 times a second each", () => {
  it("have the same document after every second, and after each server was killed", { timeout: 240_000 }, async () => {
    const flow = await createFlow(localViewer, { source });
    const editors = await openEditors(flow.id);
    const lines: string[] = [];
    for (const burst of [0, 1]) {
      lines.push(...(await type(editors, burst)));
      await expectSame(editors, lines);
    }
    for (const [index, server] of servers.entries()) {
      const typing = type(editors, 2 + index);
      await server.kill();
      lines.push(...(await typing));
      await server.start();
      for (const [place, editor] of editors.entries())
        if (place % servers.length === index) (await editor.connect()).join();
      await expectSame(editors, lines);
    }
    for (const editor of editors) editor.cut();
    await expectStored(flow.id, lines);
  });

  it("lose nothing when all servers are killed at the end, though no one returns", { timeout: 240_000 }, async () => {
    const flow = await createFlow(localViewer, { source });
    const editors = await openEditors(flow.id);
    const lines = await type(editors, 0);
    await expectSame(editors, lines);
    editors[0]?.save();
    await expect.poll(() => editors[0]?.find("saved"), patience).toBeDefined();
    await Promise.all(servers.map((server) => server.kill()));
    for (const editor of editors) editor.cut();
    await Promise.all(servers.map((server) => server.start()));
    await expectStored(flow.id, lines);
  });
});
