import { z } from "zod";
import { noUsage } from "@/lib/core/run/events/usage";
import type { ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import type { Tool, ToolContext } from "@/lib/core/run/ports/tool";
import type { SimulatedProcess } from "../world/simulated-process";
import type { RunPorts, World } from "../world/world";

/** A call of a model or of a tool, as the provider sees it. */
export interface OutsideCall {
  process: SimulatedProcess;
  runId: string;
  /** Of the step. */
  path: string;
}

/** The name that the simulated tool has in flows: one of the product's tools, so that flows with it are accepted. */
export const toolName = "calculator";

const toStep = (key: string): { runId: string; path: string } => {
  const [runId = "", path = ""] = [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)];
  return { runId, path };
};

/** The models and the tool that runs of one process reach. `onCall` is told in the moment in which a call begins. */
export function toRunPorts(world: World, process: SimulatedProcess, onCall: (call: OutsideCall) => void): RunPorts {
  const pause = (signal: AbortSignal): Promise<void> => {
    const { random, timeline } = world;
    const delayMs = random.chance(0.1) ? random.between(500, 6_000) : random.between(2, 300);
    return new Promise((resolve, reject) => {
      const handle = timeline.schedule(delayMs, process, resolve);
      const stop = (): void => {
        handle.cancel();
        reject(signal.reason);
      };
      if (signal.aborted) stop();
      else signal.addEventListener("abort", stop, { once: true });
    });
  };
  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { runId, path } = toStep(request.idempotencyKey ?? "");
    onCall({ process, runId, path: path.slice(0, path.lastIndexOf(":")) });
    yield { type: "sent", provider: "demo", url: "simulated:", body: JSON.stringify({ agent: request.agent }) };
    await pause(request.signal);
    yield answer(request);
  }
  const calculator: Tool<unknown> = {
    spec: { name: toolName, description: "Notes something", parameters: { type: "object" } },
    input: z.unknown(),
    execute: async (_input: unknown, { idempotencyKey, signal }: ToolContext) => {
      onCall({ process, ...toStep(idempotencyKey) });
      await pause(signal);
      return "noted";
    },
  };
  return {
    models: { find: (name) => ({ model: { stream }, name, provider: "demo", priceOf: () => 0 }) },
    tools: { find: (name) => (name === toolName ? calculator : null) },
    random: () => world.random.next(),
  };
}

/** An agent with the tool calls it once, then answers with its name. */
function answer({ agent, tools, messages }: ModelRequest): ModelEvent {
  const hasResult = messages.at(-1)?.role === "tool";
  const calls = tools.length > 0 && !hasResult ? [{ id: "call-1", name: toolName, arguments: "{}" }] : [];
  return {
    type: "done",
    message: {
      role: "assistant",
      content: calls.length > 0 ? "" : `done by ${agent}`,
      ...(calls.length > 0 && { toolCalls: calls }),
    },
    finishReason: calls.length > 0 ? "tool-calls" : "stop",
    usage: { ...noUsage, calls: 1, input: 10, output: 5 },
  };
}
