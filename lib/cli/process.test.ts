import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runEventSchema } from "@/lib/core/run/events/events";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-process-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const hello = path.join(import.meta.dirname, "../templates/hello.yaml");

/** The real command, in a folder that is not the project's. */
const call = (args: readonly string[], env: Record<string, string> = {}) =>
  spawn(process.execPath, [path.join(import.meta.dirname, "swarmloom.mjs"), ...args], {
    cwd: os.tmpdir(),
    env: { ...process.env, SWARMLOOM_DEMO_SPEED: "0", ...env },
  });

async function endOf(child: ReturnType<typeof call>) {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { stdout, stderr, code };
}

describe("the command as a process", () => {
  it("reads standard input and prints to standard output", async () => {
    const child = call(["run", hello, "--input", "-"]);
    child.stdin.end("What is a swarm?");
    const { stdout, stderr, code } = await endOf(child);
    expect(stdout).toMatch(/^Simulated answer \(no model was asked\)\.\n\nTopic: What is a swarm\?\n/);
    expect([stderr, code]).toEqual(["", 0]);
  });

  it("reports a failure on standard error and by its exit code", async () => {
    const { stdout, stderr, code } = await endOf(call(["parse", "a >>"]));
    expect(JSON.parse(stdout)).toMatchObject({ ok: false });
    expect(stderr).toMatch(/^<dsl>:1:\d+: error missing-operand/);
    expect(code).toBe(1);
  });

  it("ends with 2 and its usage without a command", async () => {
    const { stdout, stderr, code } = await endOf(call([]));
    expect(stderr).toContain("Usage: swarmloom");
    expect([stdout, code]).toEqual(["", 2]);
  });

  it("cancels a run on an interrupt, and prints its last event", async () => {
    const child = call(["run", hello, "--input", "demo: slow", "--events"], { SWARMLOOM_DEMO_SPEED: "1" });
    child.stdout.once("data", () => child.kill("SIGINT"));
    const { stdout, stderr, code } = await endOf(child);
    const lines = stdout.trimEnd().split("\n");
    const events = lines.map((line) => runEventSchema.parse(JSON.parse(line)));
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: "run.finished", status: "CANCELLED" });
    expect(stderr).toContain("CANCELLED");
    expect(code).toBe(1);
  });

  it("ends without an error when its reader closes the pipe", async () => {
    const child = call(["parse", "--stdin"]);
    const closed = once(child, "close");
    child.stdin.on("error", () => undefined);
    child.stdin.end(`${JSON.stringify({ dsl: "a >> b" })}\n`.repeat(20_000));
    child.stdout.once("data", () => child.stdout.destroy());
    expect([await text(child.stderr), await closed]).toEqual(["", [0, null]]);
  });

  /** The exit code of a command whose reader has gone before it writes. */
  async function codeWithoutReader(child: ReturnType<typeof call>) {
    child.stdout.destroy();
    const closed = once(child, "close");
    return { stderr: await text(child.stderr), code: (await closed)[0] };
  }

  it.each([
    ["bad", "agents: [", 1],
    ["fine", 'agents:\n  a: { model: "demo:a" }\n', 0],
  ])("checks a %s file to the end when no one reads the report", async (name, source, code) => {
    const file = path.join(folder, `${name}.yaml`);
    writeFileSync(file, source);
    const files = Array.from({ length: 30 }, () => file);
    expect(await codeWithoutReader(call(["check", "--json", ...files]))).toEqual({ stderr: "", code });
    expect(await codeWithoutReader(call(["check", ...files]))).toMatchObject({ code });
  });

  it("reports the failure of a text that no one reads", async () => {
    expect(await codeWithoutReader(call(["parse", "a >>"]))).toMatchObject({ code: 1 });
  });

  it("cancels a run whose events no one reads any more", async () => {
    const child = call(["run", hello, "--input", "demo: slow", "--events"], { SWARMLOOM_DEMO_SPEED: "1" });
    child.stdout.once("data", () => child.stdout.destroy());
    const closed = once(child, "close");
    expect(await text(child.stderr)).toContain("CANCELLED");
    expect((await closed)[0]).toBe(1);
  });

  it("stops reading when no one reads what it prints", async () => {
    const child = call(["parse", "--stdin"]);
    child.stdin.on("error", () => undefined);
    const writing = setInterval(() => child.stdin.write(`${JSON.stringify({ dsl: "a >> b" })}\n`.repeat(100)), 5);
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "exit");
    clearInterval(writing);
    expect(code).toBe(0);
  });
});
