import type { Agent } from "../flow/flow";
import { callModel, type ModelCall } from "./call-model";
import { callTool } from "./call-tool";
import { type Engine, type Place, runStep, toFailure, toStopped } from "./engine";
import { fillInstructions, startMessages } from "./instructions";
import type { AssistantMessage, ToolMessage } from "./messages";
import { type Conversation, type NextStep, nextStep } from "./planner";
import type { StepResult } from "./recorder";
import { Stop } from "./scope";
import { toSignature } from "./signature";
import type { Tool } from "./tool";
import { addUsage, noUsage } from "./usage";

/** An agent at its place; `key` is the agent's own. */
export interface AgentStep {
  agent: Agent;
  key: string;
  input: string;
}

/** Runs the loop of model and tools of one agent, as one agent node. Its output is the model's last answer. */
export function runAgent(engine: Engine, place: Place, { agent, key, input }: AgentStep): Promise<StepResult> {
  const step = { parent: place.parent, path: key, kind: "agent", name: agent.name, input } as const;
  return runStep(engine, step, async (id) => {
    const found = agent.model === undefined ? null : engine.context.models.find(agent.model);
    if (!found) return toFailure({ code: "not-found", message: describeMissingModel(agent) });
    const tools = findTools(engine, agent);
    if (typeof tools === "string") return toFailure({ code: "tool", message: tools });
    const inner: Place = { ...place, parent: id, key };
    const job: Job = { agent, found, tools, input };
    if (agent.timeout_seconds === undefined) return converse(engine, inner, job);

    inner.scope = place.scope.open();
    const message = `"${agent.name}" did not end within ${agent.timeout_seconds} s.`;
    const stop = new Stop("TIMEOUT", { code: "timeout", message, path: key });
    inner.scope.stopAfter(agent.timeout_seconds, stop, engine.context.sleep);
    try {
      return await converse(engine, inner, job);
    } finally {
      inner.scope.close();
    }
  });
}

interface Job {
  agent: Agent;
  found: ModelCall["found"];
  tools: ReadonlyMap<string, Tool>;
  input: string;
}

/** The loop itself: asks the planner for the next step and performs it, until it is done, fails or is stopped. */
async function converse(engine: Engine, place: Place, { agent, found, tools, input }: Job): Promise<StepResult> {
  const instructions = fillInstructions(agent.instructions, engine.flow.vars, input);
  const specs = [...tools.values()].map((tool) => tool.spec);
  let conversation: Conversation = {
    messages: startMessages(instructions, place.history, input),
    steps: 0,
    signatures: [],
    max_steps: agent.max_steps,
    loop_threshold: agent.loop_threshold,
  };
  let sum = { usage: noUsage, simulated: false };
  let said = "";
  for (;;) {
    const { stop } = place.scope;
    if (stop) return { ...toStopped(stop), output: said, ...sum, metadata: toMetadata(conversation) };
    const step = nextStep(conversation);
    if (step.type === "nothing-to-do") return { status: "SUCCESS", output: "", ...sum };
    if (step.type === "done") return { ...toEnd(agent, step), ...sum, metadata: toMetadata(conversation) };
    const path = `${place.key}#llm-${conversation.steps}`;
    if (step.type === "execute-tools") {
      const calls = step.calls.map((call, i) =>
        callTool(engine, place, { call, tools, path: `${path}#tool-${i + 1}` }),
      );
      conversation = withResults(conversation, await Promise.all(calls));
      continue;
    }
    const next = `${place.key}#llm-${conversation.steps + 1}`;
    const { messages } = conversation;
    const turn = await callModel(engine, place, { agent, found, messages, tools: specs, path: next });
    sum = { usage: addUsage(sum.usage, turn.usage), simulated: sum.simulated || turn.simulated };
    said = turn.output === "" ? said : turn.output;
    if (!turn.message) return { ...turn, output: said, ...sum, metadata: toMetadata(conversation) };
    conversation = withTurn(conversation, turn.message);
  }
}

function describeMissingModel({ name, model }: Agent): string {
  return model === undefined
    ? `"${name}" has no model. Set its model, e.g. "demo:${name}".`
    : `Nobody offers the model "${model}" of "${name}". Check the provider's name and its key, or use a "demo:" model.`;
}

const noTools: ReadonlyMap<string, Tool> = new Map();

/** The agent's tools by name, or why there are none. */
function findTools(engine: Engine, agent: Agent): ReadonlyMap<string, Tool> | string {
  if (agent.tools.length === 0) return noTools;
  const tools = new Map<string, Tool>();
  for (const name of agent.tools) {
    const tool = engine.context.tools.find(name);
    if (!tool) return `"${agent.name}" uses the tool "${name}", which does not exist. Take it out of its tools.`;
    tools.set(name, tool);
  }
  return tools;
}

function withTurn(conversation: Conversation, message: AssistantMessage): Conversation {
  const { messages, steps, signatures } = conversation;
  const calls = message.toolCalls ?? [];
  return {
    ...conversation,
    messages: [...messages, message],
    steps: steps + 1,
    signatures: calls.length === 0 ? signatures : [...signatures, toSignature(calls)],
  };
}

/** Results stand in the order of the calls. A null (the run was stopped) ends them. */
function withResults(conversation: Conversation, results: readonly (ToolMessage | null)[]): Conversation {
  const found = results.filter((result) => result !== null);
  return { ...conversation, messages: [...conversation.messages, ...found] };
}

/** How the agent ends when the planner says that it is done. What it said last is kept in any case. */
function toEnd(agent: Agent, step: Extract<NextStep, { type: "done" }>): StepResult {
  switch (step.reason) {
    case "answered":
      return { status: "SUCCESS", output: step.answer, usage: noUsage, simulated: false };
    case "step-limit": {
      const message = `"${agent.name}" had no answer after ${agent.max_steps} model calls. Raise its max_steps, or ask for less at once.`;
      return { ...toFailure({ code: "step-limit", message }), output: step.answer };
    }
    case "loop": {
      const signature = shorten(step.signature);
      const message = `"${agent.name}" asked for the same tools ${agent.loop_threshold} times in a row: ${signature}. Change its instructions, or raise its loop_threshold.`;
      return { ...toFailure({ code: "loop", message }), output: step.answer };
    }
  }
}

/** Longest signature that is shown, in UTF-16 units. */
const longestSignature = 2000;

const shorten = (signature: string): string =>
  signature.length > longestSignature ? `${signature.slice(0, longestSignature)}…` : signature;

function toMetadata({ steps, signatures }: Conversation): StepResult["metadata"] {
  const signature = signatures.at(-1);
  return signature === undefined ? { steps } : { steps, signature: shorten(signature) };
}
