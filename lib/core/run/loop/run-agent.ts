import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { RunError } from "../events/events";
import type { Message } from "../events/messages";
import { noUsage } from "../events/usage";
import type { AgentPlanNode } from "../plan/plan-node";
import { callHooks } from "../ports/hooks";
import {
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toErrorMessage,
  toFailure,
  toStopped,
  toSuccess,
} from "../scope/engine";
import { ScopeStop } from "../scope/scope";
import { AgentConversation, shortenSignature } from "./agent-conversation";
import { type AgentTool, type EngineTool, findAgentTools } from "./agent-tools";
import { callModelWithFallback, type ModelCall } from "./call-model";
import { callTool } from "./call-tool";
import { fillInstructions } from "./instructions";
import type { NextAction } from "./planner";

/** An agent at its place. */
export interface AgentInvocation {
  planNode: AgentPlanNode;
  path: string;
  input: string;
  /** A conversation to go on with, instead of the history and the input. */
  conversation?: readonly Message[] | undefined;
  /** What the engine gives it beside its own tools. */
  engineTools?: readonly EngineTool[];
  /** Asked after tools have run: true ends the agent. */
  hasHandedOver?(): boolean;
}

/** With the conversation, without the instructions; missing when the agent did not begin. */
export type AgentResult = NodeResult & { conversation?: readonly Message[] };

/** Runs the loop of model and tools of one agent, as one agent node. Its output is the model's last answer. */
export function runAgent(engine: Engine, place: RunPosition, agentStep: AgentInvocation): Promise<AgentResult> {
  const { planNode: stage, path, input } = agentStep;
  const { agent } = stage;
  const step = { parent: place.parent, path, kind: "agent", name: agent.name, input } as const;
  return recordNode(engine, step, (id): AgentResult | Promise<AgentResult> => {
    const found = agent.model === undefined ? null : engine.context.models.find(agent.model);
    if (!found) return toFailure({ code: "not-found", message: describeMissingModel(agent) });
    const tools = findAgentTools(engine, agent, agentStep.engineTools ?? []);
    if (typeof tools === "string") return toFailure({ code: "tool", message: tools });
    if (input.trim() === "") engine.recorder.note(id, "empty-input", `"${agent.name}" was given an empty text.`);
    const inner = positionInside(place, id, path);
    const job: AgentTask = { ...agentStep, agent, found, tools };
    const perform = engine.options.inbox ? converseWithInbox : engine.options.hooks ? converseWithHooks : converse;
    if (agent.timeout_seconds === undefined) return perform(engine, inner, job);

    inner.scope = place.scope.open();
    const message = `"${agent.name}" did not end within ${agent.timeout_seconds} s.`;
    const stop = new ScopeStop("TIMEOUT", { code: "timeout", message, path });
    inner.scope.stopAfter(agent.timeout_seconds, stop, engine.context.sleep);
    return perform(engine, inner, job).finally(() => inner.scope.close());
  });
}

interface AgentTask extends AgentInvocation {
  agent: Agent;
  found: ModelCall["resolvedModel"];
  tools: ReadonlyMap<string, AgentTool>;
}

async function converseWithInbox(engine: Engine, place: RunPosition, job: AgentTask): Promise<AgentResult> {
  const { inbox, hooks } = engine.options;
  inbox?.enter(job.agent.name, place.path);
  try {
    return await (hooks ? converseWithHooks : converse)(engine, place, job);
  } finally {
    inbox?.leave(job.agent.name, place.path);
  }
}

async function converseWithHooks(engine: Engine, place: RunPosition, job: AgentTask): Promise<AgentResult> {
  const told = { agent: job.agent.name, path: place.path };
  await callHooks(engine, { ...told, point: "START", text: job.input });
  const result = await converse(engine, place, job);
  const { output: text, error } = result;
  await callHooks(
    engine,
    result.status === "SUCCESS" ? { ...told, point: "FINISHED", text } : { ...told, point: "ERROR", error },
  );
  return engine.scope.stop && result.status === "SUCCESS"
    ? { ...result, ...toStopped(engine.scope.stop), output: text }
    : result;
}

/** The loop itself: asks the planner for the next step and performs it, until it is done, fails or is stopped. */
async function converse(engine: Engine, place: RunPosition, job: AgentTask): Promise<AgentResult> {
  const { agent, found, tools } = job;
  const start = await startConversation(engine, place, job);
  if ("code" in start) return toFailure(start);
  const specs = [...tools.values()].map((tool) => tool.spec);
  const own = start.findIndex((message) => message.role !== "system");
  const talk = new AgentConversation(agent, start);
  const end = (result: NodeResult): AgentResult => ({
    ...result,
    usage: talk.usage,
    simulated: talk.simulated,
    metadata: { ...result.metadata, ...talk.metadata },
    conversation: talk.conversation.messages.slice(Math.max(own, 0)),
  });
  for (;;) {
    const { stop } = place.scope;
    if (stop) return end({ ...toStopped(stop), output: talk.lastText });
    const step = talk.decideNextAction();
    if (step.type === "nothing-to-do") return end(toSuccess(""));
    if (step.type === "done") {
      const result = finish(engine, place, job, talk, step);
      if (result) return end(result);
      continue;
    }
    const path = `${place.path}#llm-${talk.conversation.turns}`;
    if (step.type === "execute-tools") {
      const calls = step.calls.map((call, i) =>
        callTool(engine, place, {
          call,
          tools,
          agent,
          path: `${path}#tool-${i + 1}`,
          decision: talk.decisionCount,
          mark: `#call-${talk.conversation.turns}-${i + 1}`,
        }),
      );
      talk.appendToolResults(await Promise.all(calls));
      if (job.hasHandedOver?.() && !place.scope.stop)
        return end({ status: "SUCCESS", output: talk.lastTurnText, usage: noUsage, simulated: false });
      continue;
    }
    injectMessages(engine, place, job, talk);
    const next = `${place.path}#llm-${talk.conversation.turns + 1}`;
    const { messages } = talk.conversation;
    const { messagesJson: written, decisionCount: decision } = talk;
    const turn = await callModelWithFallback(engine, place, {
      agent,
      resolvedModel: found,
      messages,
      messagesJson: written,
      tools: specs,
      path: next,
      decision,
    });
    if (!talk.appendTurn(turn)) return end({ ...turn, output: talk.lastText });
  }
}

/** Instructions (unless empty), what was said before, the input; or why they could not be made. */
async function startConversation(engine: Engine, place: RunPosition, job: AgentTask): Promise<Message[] | RunError> {
  const { agent, input, conversation } = job;
  const own = engine.options.instructions;
  const dynamic = own && Object.hasOwn(own, agent.name) ? own[agent.name] : undefined;
  let text: string | RunError;
  try {
    text = dynamic
      ? await dynamic({ agent: agent.name, path: place.path, input })
      : fillInstructions(engine, agent, input);
  } catch (error) {
    return { code: "hook", message: `The instructions of "${agent.name}" could not be made: ${toErrorMessage(error)}` };
  }
  if (typeof text !== "string") return text;
  if (agent.output_schema && job.found.schemaByPrompt)
    text = `${text}\n\n${toSchemaPrompt(agent.output_schema)}`.trim();
  const before = agent.use_history ? place.history : [];
  const messages: readonly Message[] = conversation ?? [...before, { role: "user", content: input }];
  return text.trim() === "" ? [...messages] : [{ role: "system", content: text }, ...messages];
}

const toSchemaPrompt = (schema: NonNullable<Agent["output_schema"]>): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;

/** Puts in what somebody said to the agent while it was at work. */
function injectMessages(
  { options, recorder }: Engine,
  { parent, path }: RunPosition,
  { agent }: AgentTask,
  talk: AgentConversation,
): void {
  if (!options.inbox) return;
  for (const { text, by } of options.inbox.take(agent.name, path)) {
    recorder.injectMessage(parent, text, by);
    talk.appendUserMessage(text);
  }
}

/** How the agent ends when the planner says that it is done; null: its answer did not fit its schema, and it is told so once. */
function finish(
  engine: Engine,
  place: RunPosition,
  job: AgentTask,
  talk: AgentConversation,
  step: Done,
): NodeResult | null {
  if (step.reason !== "answered") return toEnd(engine, place, job.agent, step);
  const plain: NodeResult = { status: "SUCCESS", output: step.answer, usage: noUsage, simulated: false };
  if (!job.planNode.parseAnswer) return plain;
  const answer = job.planNode.parseAnswer(step.answer);
  const { output_schema: schema = null } = job.agent;
  if (answer.ok) {
    const { value } = answer;
    return { ...plain, output: JSON.stringify(value), value, metadata: { value, schema } };
  }
  if (talk.wasCorrected) {
    const message = `"${job.agent.name}" gave no answer that fits its output_schema, also not after it was told why. ${answer.message}`;
    return { ...toFailure({ code: "schema", message }), output: step.answer, metadata: { schema } };
  }
  engine.recorder.note(place.parent, "schema", answer.message);
  talk.requestCorrection(`${answer.message}\nAnswer again, with the corrected JSON value alone.`);
  return null;
}

function describeMissingModel({ name, model }: Agent): string {
  return model === undefined
    ? `"${name}" has no model. Set its model, e.g. "demo:${name}".`
    : `Nobody offers the model "${model}" of "${name}". Check the provider's name and its key, or use a "demo:" model.`;
}

type Done = Extract<NextAction, { type: "done" }>;

/**
 * How an agent ends that came to no answer. Its last text is kept. In Orbiter the step limit is no failure: the last text
 * is the answer, unless a schema says what an answer is.
 */
function toEnd(
  { flow, recorder }: Engine,
  { parent }: RunPosition,
  agent: Agent,
  step: Exclude<Done, { reason: "answered" }>,
): NodeResult {
  if (step.reason === "loop") {
    const signature = shortenSignature(step.signature);
    const message = `"${agent.name}" asked for the same tools ${agent.loop_threshold} times in a row: ${signature}. Change its instructions, or raise its loop_threshold.`;
    return { ...toFailure({ code: "loop", message }), output: step.answer };
  }
  const message = `"${agent.name}" had no answer after ${agent.max_steps} model calls. Raise its max_steps, or ask for less at once.`;
  if (flow.compat === "orbiter" && !agent.output_schema) {
    recorder.note(parent, "step-limit", `${message} Its last text is used, as in Orbiter.`);
    return toSuccess(step.answer);
  }
  return { ...toFailure({ code: "step-limit", message }), output: step.answer };
}
