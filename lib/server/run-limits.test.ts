import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import { chunk, type RawServer, sendStream, startRawServer } from "./models/testing/raw-server";

const answerMs = 30;
let server: RawServer;
let [running, peak] = [0, 0];

beforeEach(async () => {
  [running, peak] = [0, 0];
  server = await startRawServer((response) => {
    peak = Math.max(peak, ++running);
    setTimeout(() => {
      running--;
      const usage = { prompt_tokens: 10, completion_tokens: 60, total_tokens: 70 };
      sendStream(response, [chunk({ role: "assistant", content: "A" }), chunk({}, "stop"), { choices: [], usage }]);
    }, answerMs);
  });
  vi.resetModules();
  vi.stubEnv("COMPATIBLE_BASE_URL", `${server.url}/v1`);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

/** Runs agents at once on the server of the test, in the world of a process with these variables. */
async function runTogether(count: number, variables: Readonly<Record<string, string>>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { runWorld } = await import("./run-world");
  const names = Array.from({ length: count }, (_, index) => `a${index}`);
  const { flow } = readSource(
    `agents:\n${names.map((name) => `  ${name}: { model: "compatible:x", max_tokens: 60 }`).join("\n")}\nswarm: { flow: (${names.join(" | ")}) }\n`,
  );
  let state = emptyRunState;
  for await (const event of runFlow(flow, "Q", { ...runWorld, signal: new AbortController().signal }))
    state = foldEvents(state, [event]);
  return state;
}

describe("a run against a real server", () => {
  test("makes 16 calls at a time; the steps show how long they waited", async () => {
    const { status, nodes } = await runTogether(40, {});
    expect([status, peak, server.bodies.length]).toEqual(["SUCCESS", 16, 40]);
    const waits = nodes.flatMap(({ queuedMs }) => queuedMs ?? []);
    expect(waits.length).toBeGreaterThanOrEqual(24);
    expect(Math.max(...waits)).toBeGreaterThanOrEqual(answerMs);
  });

  test("makes as many as SWARMLOOM_RUN_CONCURRENCY allows", async () => {
    await runTogether(8, { SWARMLOOM_RUN_CONCURRENCY: "3" });
    expect([peak, server.bodies.length]).toEqual([3, 8]);
  });

  test("uses no more tokens than SWARMLOOM_MAX_TOKENS allows, although its flow has no limit", async () => {
    const { status, error, usage } = await runTogether(40, { SWARMLOOM_MAX_TOKENS: "500" });
    expect(status).toBe("FAILED");
    expect(error?.code).toBe("limit");
    expect(usage.input + usage.output).toBeLessThanOrEqual(500);
    expect(server.bodies.length).toBeLessThanOrEqual(7);
  });
});
