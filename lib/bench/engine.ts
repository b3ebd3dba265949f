import { z } from "zod";
import type { Flow } from "@/lib/core/flow/flow";
import type { RunEvent } from "@/lib/core/run/events/events";
import { noUsage } from "@/lib/core/run/events/usage";
import type { Model, ModelEvent, ModelPort } from "@/lib/core/run/ports/model";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { runFlow } from "@/lib/core/run/run-flow";
import { sleep } from "@/lib/server/sleep";
import { defineTool } from "@/lib/server/tools/define-tool";

/** The only tool of the benchmark. */
const addTool = defineTool({
  name: "add",
  description: "adds",
  input: z.strictObject({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});

/** Follows the rule of the benchmark's server: `7` gives `8`, `2,2,2` gives `6`. */
const think = async (text: string): Promise<string> =>
  text.includes(",")
    ? String(text.split(",").reduce((sum, addend) => sum + Number(addend), 0))
    : String(Number(text) + 1);

/** A model in this process. */
const localModel: Model = {
  async *stream({ messages }): AsyncGenerator<ModelEvent, void> {
    yield { type: "sent", provider: "local", url: "local:", body: "{}" };
    const content = await think(messages.at(-1)?.content ?? "");
    yield { type: "text", text: content };
    const usage = { ...noUsage, input: 1, output: 1, calls: 1 };
    yield { type: "done", message: { role: "assistant", content }, finishReason: "stop", usage };
  },
};

export const localModels: ModelPort = { find: (name) => ({ model: localModel, name, provider: "local" }) };

const makeContext = (models: ModelPort): RunContext => ({
  models,
  tools: { find: (name) => (name === addTool.spec.name ? addTool : null) },
  now: Date.now,
  sleep,
  random: Math.random,
  signal: new AbortController().signal,
});

/**
 * Runs a flow and returns its answer. `onEvent` has processed an event before the next one is requested.
 * @throws Error when the run did not succeed.
 */
export async function runToEnd(
  flow: Flow,
  models: ModelPort,
  input: string,
  onEvent?: (event: RunEvent) => void,
): Promise<string> {
  let last: RunEvent | undefined;
  for await (const event of runFlow(flow, input, makeContext(models))) {
    onEvent?.(event);
    last = event;
  }
  if (last?.type === "run.finished" && last.status === "SUCCESS") return last.output.text;
  const error = last?.type === "run.finished" ? last.error?.message : "its events ended too early";
  throw new Error(`The run was expected to succeed. It did not: ${error ?? "no reason was given"}`);
}
