import { bench, describe } from "vitest";
import { makeChain, makeParallel } from "@/lib/bench/flows";
import { noUsage } from "./events/usage";
import type { Model, ModelEvent } from "./ports/model";
import type { RunContext } from "./ports/run-context";
import { runFlow } from "./run-flow";

/** Answers at once, so that only the engine is measured. */
const model: Model = {
  async *stream(): AsyncGenerator<ModelEvent> {
    yield { type: "sent", provider: "bench", url: "bench:", body: "{}" };
    yield { type: "text", text: "word" };
    yield {
      type: "done",
      message: { role: "assistant", content: "word" },
      finishReason: "stop",
      usage: { ...noUsage, calls: 1 },
    };
  },
};

const context: RunContext = {
  models: { find: () => ({ model, name: "m", provider: "bench" }) },
  tools: { find: () => null },
  now: () => Date.now(),
  sleep: () => new Promise(() => undefined),
  random: () => 0,
  signal: new AbortController().signal,
};

const shapes = { chain: makeChain, parallel: makeParallel };

for (const [shape, make] of Object.entries(shapes)) {
  describe(`engine, ${shape}`, () => {
    for (const agents of [100, 1000, 10_000]) {
      const flow = make(agents, { model: "bench:m" });
      let [fastest, total, runs] = [Number.POSITIVE_INFINITY, 0, 0];
      const toMicroseconds = (ms: number): string => ((ms * 1000) / agents).toFixed(1);
      bench(
        `${agents} agents`,
        async () => {
          const start = performance.now();
          for await (const event of runFlow(flow, "input", context)) void event;
          const ms = performance.now() - start;
          fastest = Math.min(fastest, ms);
          total += ms;
          runs++;
        },
        {
          time: 1000,
          setup: () => {
            [fastest, total, runs] = [Number.POSITIVE_INFINITY, 0, 0];
          },
          teardown: (_task, mode) => {
            if (mode !== "run") return;
            const figures = `${toMicroseconds(total / runs)} µs an agent on average, ${toMicroseconds(fastest)} at best`;
            console.log(`${shape} of ${agents}: ${figures} (${runs} runs)`);
          },
        },
      );
    }
  });
}
