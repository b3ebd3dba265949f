import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunLimits } from "../../flow/flow";
import { noUsage } from "../events/usage";
import { agents, call, reply, runFile } from "../orbiter/flow-file.arbitrary";
import type { ModelPort } from "../ports/model";
import type { ScriptedModels, ScriptedTurn } from "../testing/scripted-model";
import { type FinishedRun, makeFlow, runScripted, type ScriptedRunOptions } from "../testing/scripted-run";

/** Input costs nothing, an output token one cent. */
const priceOf = ({ output }: { output: number }): number => output / 100;

/** Models with that price; `peak` is how many calls were under way at once, at most. */
function pricedModels() {
  const seen = { now: 0, peak: 0 };
  const wrapModels = (models: ScriptedModels): ModelPort => ({
    find(name) {
      const found = models.find(name);
      if (!found) return null;
      const model: typeof found.model = {
        async *stream(request) {
          seen.peak = Math.max(seen.peak, ++seen.now);
          try {
            yield* found.model.stream(request);
          } finally {
            seen.now--;
          }
        },
      };
      return { ...found, model, priceOf };
    },
  });
  return { seen, wrapModels };
}

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `a${index + 1}`);
const answer = (output: number, rest: Partial<ScriptedTurn> = {}): ScriptedTurn =>
  reply("A", { delayMs: 10, usage: { output, cost: priceOf({ output }) }, ...rest });

/** Runs agents at once, each limited to answers of `maxTokens`. */
async function together(
  count: number,
  {
    limits,
    maxTokens,
    turn,
    ...trial
  }: { limits: RunLimits; maxTokens?: number; turn: ScriptedTurn } & Partial<ScriptedRunOptions>,
) {
  const { seen, wrapModels } = pricedModels();
  const fields = Object.fromEntries(names(count).map((name) => [name, { max_tokens: maxTokens }]));
  const flow = { ...makeFlow({ flow: `(${names(count).join(" | ")})`, agents: fields }), limits };
  const ran = await runScripted(flow, { script: () => turn, wrapModels, ...trial });
  return { ran, seen };
}

const queuedIn = ({ events }: FinishedRun): number[] =>
  events.flatMap((event) => (event.type === "attempt.queued" ? [event.waitMs] : []));

describe("the limit of cost", () => {
  test("holds for 200 calls of 5 cents at the same time", async () => {
    const { ran } = await together(200, { limits: { max_cost: 1 }, maxTokens: 5, turn: answer(5) });
    expect(ran.models.requests).toHaveLength(20);
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit" } });
    expect(ran.last.usage.cost).toBeCloseTo(1, 9);
    expect(ran.last.error?.message).toContain("may cost $0.0500, and $1.00 of the run's limit of $1.00 is spent");
  });

  test("lets calls wait for running ones that used less than they might have, and shows the wait", async () => {
    const { ran, seen } = await together(6, { limits: { max_cost: 1.1 }, maxTokens: 50, turn: answer(1) });
    expect(ran.last).toMatchObject({ status: "SUCCESS", usage: { calls: 6 } });
    expect(seen.peak).toBe(2);
    expect(queuedIn(ran)).toEqual([10, 10, 20, 20]);
  });

  test("counts an answer whose own name has no price with the price of the model that was asked", async () => {
    const { ran } = await together(1, { limits: {}, turn: reply("A", { usage: { output: 30, cost: null } }) });
    expect(ran.last.usage).toEqual({ ...noUsage, calls: 1, output: 30, cost: 0.3 });
  });

  test("stops a run before a call that can never fit", async () => {
    const { ran } = await together(1, { limits: { max_cost: 1 }, maxTokens: 101, turn: answer(1) });
    expect(ran.models.requests).toEqual([]);
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit" }, usage: { calls: 0, cost: 0 } });
    expect(ran.last.error?.message).toContain("Raise max_cost");
  });

  test("lets the running calls finish before it stops the run", async () => {
    const { ran } = await together(3, { limits: { max_cost: 0.1 }, maxTokens: 5, turn: answer(5) });
    expect(ran.last).toMatchObject({ status: "FAILED", output: { text: "A\n\nA" } });
  });

  test("lets a call whose answer has no limit go out alone, although its estimate does not fit", async () => {
    const { ran, seen } = await together(3, { limits: { max_cost: 1 }, turn: answer(2) });
    expect(ran.last).toMatchObject({ status: "SUCCESS", usage: { calls: 3 } });
    expect(seen.peak).toBe(1);
  });

  test("takes what calls of the model used into the estimates of later ones", async () => {
    const hungry = answer(200, { usage: { input: 5000, output: 200, cost: 2 } });
    const { ran, seen } = await together(9, {
      limits: { max_tokens: 31_300 },
      maxTokens: 200,
      turn: hungry,
      context: { concurrentCalls: 4 },
    });
    // The first four are taken for small; then it is known what each needs.
    expect([seen.peak, ran.models.requests.length]).toEqual([4, 6]);
    expect(ran.last.usage.input + ran.last.usage.output).toBe(31_200);
    expect(ran.last.error?.code).toBe("limit");
  });

  test("counts what an interrupted call has sent and received", async () => {
    const turn: ScriptedTurn = { text: "x".repeat(400), end: "interrupted", delayMs: 10 };
    const { ran } = await together(2, { limits: { max_cost: 1 }, maxTokens: 100, turn });
    expect(ran.models.requests).toHaveLength(1);
    expect(ran.last.status).toBe("FAILED");
    expect(ran.last.usage).toMatchObject({ output: 100, cost: 1, estimated: true });
  });

  test("holds no reservation while an attempt waits to be repeated", async () => {
    const busy: ScriptedTurn = { end: { class: "server", message: "busy", status: 503 } };
    const { ran } = await together(2, {
      limits: { max_cost: 1.01 },
      maxTokens: 100,
      turn: answer(1),
      script: ({ agent }, number) => (agent === "a1" && number === 0 ? busy : answer(1)),
    });
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(["a1", "a2", "a1"]);
    expect(ran.last.status).toBe("SUCCESS");
  });
});

describe("the limit of tokens", () => {
  test("holds for calls at the same time", async () => {
    const turn = answer(10, { usage: { input: 5, output: 10, cost: 0 } });
    const { ran } = await together(50, { limits: { max_tokens: 400 }, maxTokens: 10, turn });
    const { input, output } = ran.last.usage;
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit" } });
    expect(input + output).toBeLessThanOrEqual(400);
    expect(ran.models.requests.length).toBeGreaterThan(5);
  });
});

describe("waiting for the budget", () => {
  const waiting = { limits: { max_cost: 1 }, maxTokens: 100, turn: { end: "never" } as const };

  test("ends when the run is cancelled; calls that never went out cost nothing", async () => {
    const { ran } = await together(5, {
      ...waiting,
      onEvent: (event, { abort }) => {
        if (event.type === "request.sent") abort.abort();
      },
    });
    expect(ran.last.status).toBe("CANCELLED");
    expect(ran.models.requests).toHaveLength(1);
    expect(ran.end("a5#llm-1")).toMatchObject({ status: "CANCELLED", usage: { calls: 0, cost: 0 } });
  });

  test("ends for members that a failed sibling cancels; what follows gets its turn", async () => {
    const refused: ScriptedTurn = { delayMs: 5, end: { class: "invalid-request", message: "no", status: 400 } };
    const { wrapModels } = pricedModels();
    const fields = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, { max_tokens: 50 }]));
    const flow = makeFlow({ flow: "(g | d)", agents: fields, groups: { g: { flow: "a | b | c" } } });
    const ran = await runScripted(
      { ...flow, limits: { max_cost: 1 }, swarm: { ...flow.swarm } },
      { script: ({ agent }) => (agent === "a" ? refused : answer(1, { delayMs: 20 })), wrapModels },
    );
    expect(ran.last.status).toBe("FAILED");
    expect(ran.models.requestsOf("c")).toEqual([]);
  });

  test("is fair: first come, first served", async () => {
    const { ran, seen } = await together(40, {
      limits: {},
      turn: answer(1),
      context: { concurrentCalls: 16 },
    });
    expect(seen.peak).toBe(16);
    expect(ran.models.requests.map(({ agent }) => agent)).toEqual(names(40));
    expect(queuedIn(ran)).toHaveLength(24);
  });

  test.each([
    ["team", call("delegate_to_b", { task: "t" })],
    ["orchestrate", call("spawn_agent", { purpose: "p", agent: "b" })],
  ])("deadlocks no %s swarm whose calls go out one by one", async (type, first) => {
    const { seen, wrapModels } = pricedModels();
    const text = `limits: { max_cost: 100 }\n${agents("lead", "b")}\nswarm: { type: ${type}, agents: [lead, b] }\n`;
    const ran = await runFile(text, {
      script: { lead: [first, reply("done")], b: [reply("B")] },
      wrapModels,
      context: { concurrentCalls: 1 },
    });
    expect([ran.last.status, seen.peak, ran.models.unused]).toEqual(["SUCCESS", 1, []]);
  });

  test("property: every run ends, and its cost stays within the limit", async () => {
    const trial = fc.record({
      width: fc.integer({ min: 1, max: 6 }),
      length: fc.integer({ min: 1, max: 4 }),
      outputs: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 24, maxLength: 24 }),
      limit: fc.integer({ min: 1, max: 150 }),
      concurrentCalls: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(trial, async ({ width, length, outputs, limit, concurrentCalls }) => {
        const chains = Array.from({ length: width }, (_, i) => names(length).map((name) => `${name}_${i}`));
        const fields = Object.fromEntries(chains.flat().map((name) => [name, { max_tokens: 10 }]));
        const flow = makeFlow({ flow: `(${chains.map((chain) => chain.join(" >> ")).join(" | ")})`, agents: fields });
        const { seen, wrapModels } = pricedModels();
        let calls = 0;
        const ran = await runScripted(
          { ...flow, limits: { max_cost: limit / 100 } },
          {
            script: () => answer(outputs[calls++ % outputs.length] ?? 0, { delayMs: 1 + (calls % 3) }),
            wrapModels,
            ...(concurrentCalls !== undefined && { context: { concurrentCalls } }),
          },
        );
        expect(ran.last.usage.cost ?? 0).toBeLessThanOrEqual(limit / 100 + 1e-9);
        expect(seen.peak).toBeLessThanOrEqual(concurrentCalls ?? width);
        expect(ran.last.status).toBe(ran.last.usage.calls === width * length ? "SUCCESS" : "FAILED");
      }),
      { numRuns: 60 },
    );
  });
});

describe("ceilings of the server", () => {
  const turn = answer(5);

  test.each<[string, RunLimits, RunLimits, number]>([
    ["hold for a flow without limits", {}, { max_cost: 0.1 }, 2],
    ["hold for a flow that allows more", { max_cost: 10 }, { max_cost: 0.1 }, 2],
    ["leave a lower limit of the flow", { max_cost: 0.05 }, { max_cost: 0.1 }, 1],
  ])("%s", async (_, limits, ceilings, calls) => {
    const { ran } = await together(9, { limits, maxTokens: 5, turn, context: { ceilings } });
    expect(ran.models.requests).toHaveLength(calls);
    expect(ran.last).toMatchObject({ status: "FAILED", error: { code: "limit" } });
  });

  test("cannot be raised by the program either, and hold for the time", async () => {
    const { ran } = await together(1, {
      limits: {},
      turn: { end: "never" },
      context: { ceilings: { max_seconds: 2 } },
      options: { limits: { max_seconds: 100 } },
    });
    expect(ran.last.status).toBe("TIMEOUT");
    expect(ran.clock.now()).toBe(2000);
  });
});
