import { randomUUID } from "node:crypto";
import type { Flow } from "@/lib/core/flow/flow";
import type { ModelPort } from "@/lib/core/run/ports/model";
import { createModelPort } from "@/lib/server/models/model-port";
import manifest from "@/package.json";
import { localModels, runToEnd } from "./engine";
import { makeChain, makeFanout } from "./flows";
import { keepAgents, openStepStore } from "./step-store";

interface World {
  /** Of the fake server, with its `/v1`. */
  url: string;
  apiKey: string;
  /** A temporary folder. */
  tmp: string;
  /** The provider that makes the requests: the SDK, or our own reader over undici. */
  provider?: "openai" | "compatible";
}

/**
 * Our engine as one more peer of the peers benchmark (README.md describes how to run it). Each case prepares a run; the
 * function that it returns is timed.
 */
export async function create({ url, apiKey, tmp, provider = "openai" }: World) {
  const models: ModelPort = createModelPort({
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: url,
    COMPATIBLE_API_KEY: apiKey,
    COMPATIBLE_BASE_URL: url,
  });
  // The fake server reads from a model's name how it should answer.
  const toModel = (name: string): string => `${provider}:${name}`;
  return {
    name: `Swarmloom (${provider})`,
    version: manifest.version,
    chain: (count: number) => toRun(makeChain(count, { model: toModel("m") }), models),
    fanout: (count: number) => toRun(makeFanout(count, { model: toModel("m") }), models),
    toolLoop: (rounds: number, calls: number) => {
      const model = toModel(`m;iter=${rounds};par=${calls}`);
      const flow = makeChain(1, { model, tools: ["add"], max_steps: rounds + 1 });
      return () => runToEnd(flow, models, "go");
    },
    stream: (count: number) => {
      const flow = makeChain(1, { model: toModel(`m;n=${count}`) });
      return async (onDelta: (text: string) => void): Promise<number> => {
        let deltas = 0;
        await runToEnd(flow, models, "go", (event) => {
          if (event.type !== "text.appended") return;
          deltas++;
          onDelta(event.text);
        });
        return deltas;
      };
    },
    durable: (count: number, kind: string) => {
      const flow = makeChain(count, { model: toModel("m") });
      const keep = openStepStore(kind, tmp);
      return () => runToEnd(flow, models, "0", keepAgents(randomUUID(), keep));
    },
    idle: (count: number, latency: number) => {
      const flow = makeChain(1, { model: toModel(`m;lat=${latency}`) });
      return async () => (await Promise.all(Array.from({ length: count }, () => runToEnd(flow, models, "0")))).length;
    },
    agentChain: (count: number) => toRun(makeChain(count, { model: "local:m" }), localModels),
    agentFanout: (count: number) => toRun(makeFanout(count, { model: "local:m" }), localModels),
  };
}

const toRun = (flow: Flow, models: ModelPort) => () => runToEnd(flow, models, "0");
