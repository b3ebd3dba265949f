import { spawn } from "node:child_process";
import { once } from "node:events";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { runEventSchema } from "@/lib/core/run/events/events";

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
});
