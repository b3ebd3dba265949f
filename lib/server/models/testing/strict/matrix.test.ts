import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import type { RunContext } from "@/lib/core/run/ports/run-context";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { emptyRunState, foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { templatesByUse } from "@/lib/templates/catalog";
import { readTemplates } from "@/lib/templates/files";
import { toolPort } from "../../../tools/registry";
import { createModelPort } from "../../model-port";
import { abilities } from "./abilities";
import { toServiceEnv } from "./service-env";
import { strictServices } from "./services";
import { type StrictServer, type StrictService, startStrictServer } from "./strict-server";

const question = "How can a small city keep its streets cool in summer? What is 18 * 240?";

interface FlowCase {
  source: string;
  input?: string | undefined;
  messages?: readonly Message[] | undefined;
}

/** What runs against every service: the templates, and what the docs promise of agents. Models are written as `MODEL`. */
const flows = new Map<string, FlowCase>([
  ...[...readTemplates()].map(([name, text]): [string, FlowCase] => [
    `the template ${name}`,
    { source: text.replaceAll(/"?demo:[\w-]+"?/g, "MODEL"), input: templatesByUse.get(name)?.input },
  ]),
  ...abilities,
]);

async function run(
  flowName: string,
  service: StrictService,
  { model, url }: { model: string; url: string },
): Promise<RunState> {
  const { provider } = service;
  const { source, input = question, messages = [] } = flows.get(flowName) ?? { source: "" };
  const { flow } = readSource(source.replaceAll("MODEL", JSON.stringify(`${provider}:${model}`)));
  const context: RunContext = {
    models: createModelPort(toServiceEnv(service, url)),
    tools: toolPort,
    now: () => Date.UTC(2026, 6, 1, 12),
    random: () => 0,
    sleep: (ms: number, signal: AbortSignal) => wait(Math.min(ms, 1), undefined, { signal }),
    signal: new AbortController().signal,
    humanInput: { ask: async () => ({ decision: "approved" as const, by: "Ann" }) },
  };
  let state = emptyRunState;
  for await (const event of runFlow(flow, input, context, { messages })) state = foldEvents(state, [event]);
  return state;
}

describe.each([...strictServices])("%s", (_, service) => {
  let server: StrictServer;
  beforeAll(async () => {
    server = await startStrictServer(service);
  });
  afterAll(() => server.close());

  describe.each(Object.values(service.models))("with %s", (model) => {
    it.each([...flows.keys()])("takes %s", async (flowName) => {
      const before = server.answered();
      const state = await run(flowName, service, { model, url: server.url });
      expect(server.takeUnexpected()).toEqual([]);
      expect(server.answered()).toBeGreaterThan(before);
      expect([state.status, state.error?.message]).toEqual(["SUCCESS", undefined]);
    });
  });
});
