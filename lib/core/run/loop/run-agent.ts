import type { RunParameters } from "../../flow/schemas/run-parameters";
import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { RunError } from "../events/events";
import type { Message, ToolCall } from "../events/messages";
import type { PlanNodeOf } from "../plan/plan-node";
import { childPath, type Engine, type NodeRun, positionInside, withParameters } from "../scope/engine";
import { toErrorMessage, toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordNode } from "../scope/record-node";
import { AgentConversation, shortenSignature, type ToolCallResult } from "./agent-conversation";
import { type AgentTool, findAgentTools } from "./agent-tools";
import { callHooks } from "./call-hooks";
import { callModelWithFallback, type ModelCall } from "./call-model";
import { callTool } from "./call-tool";
import type { EngineTool } from "./engine-tool";
import { fillInstructions } from "./instructions";
import type { NextAction } from "./planner";

/** One run of an agent. */
export interface AgentRun extends NodeRun<PlanNodeOf<"agent">> {
  /** A conversation to continue, instead of the history and the input. */
  conversation?: readonly Message[] | undefined;
  /** Tools of the engine, in addition to those of the agent. */
  engineTools?: readonly EngineTool[];
  /** Called after tools have run: true ends the agent. */
  hasHandedOver?(): boolean;
}

/** With the conversation, without the instructions; missing when the agent did not start. */
export type AgentResult = NodeResult & { conversation?: readonly Message[] };

/** Runs the loop of model and tools of one agent, as one agent node. Its output is the model's last answer. */
export function runAgent(run: AgentRun): Promise<AgentResult> {
  const { engine, position, planNode, engineTools = [] } = run;
  const path = childPath(position, planNode.name);
  const { input = run.input, ...agentEdit } = engine.options.edits?.get(path) ?? {};
  const agent = { ...withParameters(engine, planNode.agent), ...agentEdit };
  const start = { parent: position.parent, path, kind: "agent", name: agent.name, input } as const;
  return recordNode(engine, start, (id): AgentResult | Promise<AgentResult> => {
    const resolvedModel = agent.model === undefined ? null : engine.context.models.find(agent.model);
    if (!resolvedModel) return toFailure({ code: "not-found", message: describeMissingModel(agent) });
    const tools = findAgentTools(engine, agent, engineTools);
    if (typeof tools === "string") return toFailure({ code: "tool", message: tools });
    if (input.trim() === "") engine.recorder.note(id, "empty-input", `"${agent.name}" was given an empty text.`);
    const agentPosition = positionInside(position, id, path);
    const task: AgentTask = { ...run, input, path, position: agentPosition, agent, resolvedModel, tools };
    const perform = engine.options.inbox ? converseWithInbox : engine.options.hooks ? converseWithHooks : converse;
    if (agent.timeout_seconds === undefined) return perform(task);

    const scope = position.scope.open();
    const message = `"${agent.name}" did not end within ${agent.timeout_seconds} s.`;
    scope.stopAfter(agent.timeout_seconds, { code: "timeout", message, path }, engine.context.sleep);
    return perform({ ...task, position: { ...agentPosition, scope } }).finally(() => scope.close());
  });
}

/** An agent that has started; its position is inside its node. */
interface AgentTask extends AgentRun {
  path: string;
  agent: Agent;
  resolvedModel: ModelCall["resolvedModel"];
  tools: ReadonlyMap<string, AgentTool>;
}

async function converseWithInbox(task: AgentTask): Promise<AgentResult> {
  const { inbox, hooks } = task.engine.options;
  inbox?.enter(task.agent.name, task.path);
  try {
    return await (hooks ? converseWithHooks : converse)(task);
  } finally {
    inbox?.leave(task.agent.name, task.path);
  }
}

async function converseWithHooks(task: AgentTask): Promise<AgentResult> {
  const { engine, path, input } = task;
  const hookContext = { agent: task.agent.name, path };
  await callHooks(engine, { ...hookContext, point: "START", text: input });
  const result = await converse(task);
  const { status, output: text, error } = result;
  const end = status === "SUCCESS" ? ({ point: "FINISHED", text } as const) : ({ point: "ERROR", error } as const);
  await callHooks(engine, { ...hookContext, ...end });
  const { stop } = engine.scope;
  return stop && status === "SUCCESS" ? { ...result, ...toStopped(stop), output: text } : result;
}

/** The agent loop: asks the planner for the next action and performs it, until the agent is done, fails or is stopped. */
async function converse(task: AgentTask): Promise<AgentResult> {
  const { engine, position, agent, resolvedModel } = task;
  const initialMessages = await startConversation(task);
  if ("code" in initialMessages) return toFailure(initialMessages);
  const tools = [...task.tools.values()].map((tool) => tool.spec);
  const startIndex = initialMessages.findIndex((message) => message.role !== "system");
  const conversation = new AgentConversation(agent, initialMessages, findPolling(task.engineTools));
  const end = (result: NodeResult): AgentResult => ({
    ...result,
    usage: conversation.total.usage,
    simulated: conversation.total.simulated,
    metadata: { ...result.metadata, ...conversation.metadata },
    conversation: conversation.messages.slice(Math.max(startIndex, 0)),
  });
  for (;;) {
    const { stop } = position.scope;
    if (stop) return end({ ...toStopped(stop), output: conversation.lastText });
    const action = conversation.decideNextAction();
    switch (action.type) {
      case "nothing-to-do":
        return end(toSuccess(""));
      case "done": {
        const result = await finish(task, conversation, action);
        if (result) return end(result);
        break;
      }
      case "execute-tools":
        await executeTools(task, conversation, action);
        if (task.hasHandedOver?.() && !position.scope.stop) return end(toSuccess(conversation.lastTurnText));
        break;
      case "call-model": {
        injectMessages(task, conversation);
        const { messages, decisionCount: decision } = conversation;
        const writeMessages = (): string => conversation.messagesJson;
        const path = `${task.path}#llm-${conversation.turns + 1}`;
        const call = { agent, resolvedModel, messages, writeMessages, tools, path, decision };
        const turn = await callModelWithFallback(engine, position, call);
        if (!conversation.appendTurn(turn)) return end({ ...turn, output: conversation.lastText });
      }
    }
  }
}

/** Executes the tool calls of one turn: concurrently, or each after the one before it has ended. Results are in call order. */
async function executeTools(
  { engine, position, path, tools, agent }: AgentTask,
  conversation: AgentConversation,
  { calls, order }: Extract<NextAction, { type: "execute-tools" }>,
): Promise<void> {
  const { turns, decisionCount: decision } = conversation;
  const execute = (call: ToolCall, index: number): Promise<ToolCallResult | null> => {
    const ids = { path: `${path}#llm-${turns}#tool-${index + 1}`, pathSuffix: `#call-${turns}-${index + 1}` };
    return callTool({ engine, position, call, tools, agent, decision, ...ids });
  };
  if (order === "parallel") return conversation.appendToolResults(await Promise.all(calls.map(execute)));
  const results: (ToolCallResult | null)[] = [];
  for (const [index, call] of calls.entries()) {
    if (position.scope.stop) break;
    results.push(await execute(call, index));
  }
  conversation.appendToolResults(results);
}

/** Instructions (unless empty), history and input; or why the instructions could not be created. */
async function startConversation(task: AgentTask): Promise<Message[] | RunError> {
  const { engine, agent, input, position } = task;
  let instructions = engine.options.instructions
    ? await createInstructions(task)
    : fillInstructions(engine, { ...agent, path: task.path }, input);
  if (typeof instructions !== "string") return instructions;
  if (agent.output_schema && task.resolvedModel.schemaByPrompt)
    instructions = `${instructions}\n\n${toSchemaPrompt(agent.output_schema)}`.trim();
  const history = agent.use_history ? position.history : [];
  const messages = task.conversation ?? [...history, { role: "user" as const, content: input }];
  return instructions.trim() === "" ? [...messages] : [{ role: "system", content: instructions }, ...messages];
}

async function createInstructions({ engine, path, agent, input }: AgentTask): Promise<string | RunError> {
  const { instructions = {} } = engine.options;
  const create = Object.hasOwn(instructions, agent.name) ? instructions[agent.name] : undefined;
  try {
    return create
      ? await create({ agent: agent.name, path, input })
      : fillInstructions(engine, { ...agent, path }, input);
  } catch (error) {
    return { code: "hook", message: `The instructions of "${agent.name}" could not be made: ${toErrorMessage(error)}` };
  }
}

const toSchemaPrompt = (schema: NonNullable<Agent["output_schema"]>): string =>
  `Answer with one JSON value and nothing else. It must fit this JSON Schema:\n${JSON.stringify(schema)}`;

/** Appends the messages that the agent received while it was running. */
function injectMessages({ engine, position, path, agent }: AgentTask, conversation: AgentConversation): void {
  const { journal, inbox } = engine.options;
  const step = journal?.find(path);
  const call = conversation.turns + 1;
  for (const { text } of step?.messages.filter((message) => message.call === call) ?? [])
    conversation.appendUserMessage(text);
  // What came later was not there when this call was made.
  if (step && step.calls >= call) return;
  for (const message of inbox?.take(agent.name, path) ?? []) {
    engine.recorder.injectMessage(position.parent, message);
    conversation.appendUserMessage(message.text);
  }
}

type Completion = Extract<NextAction, { type: "done" }>;
type CompletionOf<Reason extends Completion["reason"]> = Extract<Completion, { reason: Reason }>;

/** How the agent ends when the planner is done; null: its answer does not fit its schema, and it gets one chance to correct it. */
async function finish(
  task: AgentTask,
  conversation: AgentConversation,
  completion: Completion,
): Promise<NodeResult | null> {
  if (completion.reason === "loop") return toLoopFailure(task, completion);
  if (completion.reason === "step-limit") return endAtStepLimit(task, conversation, completion);
  const { agent } = task;
  const { parseAnswer } = task.planNode;
  if (!parseAnswer) return toSuccess(completion.answer);
  const answer = await parseAnswer(completion.answer);
  const { output_schema: schema = null } = agent;
  if (answer.ok) {
    const { value } = answer;
    return { ...toSuccess(JSON.stringify(value), { value, schema }), value };
  }
  if (conversation.wasCorrected) {
    const message = `"${agent.name}" gave no answer that fits its output_schema, not even after a request to correct it. ${answer.message}`;
    return { ...toFailure({ code: "schema", message }), output: completion.answer, metadata: { schema } };
  }
  task.engine.recorder.note(task.position.parent, "schema", answer.message);
  conversation.requestCorrection(`${answer.message}\nAnswer again, with the corrected JSON value alone.`);
  return null;
}

const noTools: ReadonlySet<string> = new Set();

const findPolling = (tools: readonly EngineTool[] = []): ReadonlySet<string> =>
  tools.some(({ isPolling }) => isPolling)
    ? new Set(tools.flatMap(({ isPolling, spec }) => (isPolling ? [spec.name] : [])))
    : noTools;

function describeMissingModel({ name, model }: Agent): string {
  return model === undefined
    ? `"${name}" has no model. Set its model, e.g. "demo:${name}".`
    : `No provider has the model "${model}" of "${name}". Check the provider's name and its key, or use a "demo:" model.`;
}

function toLoopFailure({ engine, agent }: AgentTask, { answer, signature }: CompletionOf<"loop">): NodeResult {
  const { name, loop_threshold } = agent;
  const calls = shortenSignature(signature);
  const message = `"${name}" asked for the same tools ${loop_threshold} times in a row: ${calls}. Change its instructions, or raise ${ownerOf(engine, "loop_threshold")} loop_threshold.`;
  return { ...toFailure({ code: "loop", message }), output: answer };
}

/**
 * How an agent ends that has made all of its model calls and has no answer. Its last text is kept; where the flow asks for
 * that (`on_limit`, and Orbiter's files do), it is the answer. An agent with a schema fails if that text does not fit it.
 */
async function endAtStepLimit(
  { engine, position, agent, planNode: { parseAnswer } }: AgentTask,
  { lastText }: AgentConversation,
  { answer: lastTurnText }: CompletionOf<"step-limit">,
): Promise<NodeResult> {
  const { flow, recorder } = engine;
  const { on_limit: onLimit = flow.compat === "orbiter" ? "answer" : "fail", output_schema: schema = null } = agent;
  const message = `"${agent.name}" had no answer after ${agent.max_steps} model calls. Raise ${ownerOf(engine, "max_steps")} max_steps, or ask for less at once.`;
  const failure = { ...toFailure({ code: "step-limit", message }), output: lastTurnText };
  if (onLimit === "fail") return failure;
  // In Orbiter it is the text of the last turn, also an empty one.
  const output = flow.compat === "orbiter" ? lastTurnText : lastText;
  const answer = parseAnswer ? await parseAnswer(output) : null;
  if (answer?.ok === false) return { ...failure, metadata: { schema } };
  recorder.note(position.parent, "step-limit", `${message} Its last text is used as its answer (on_limit: answer).`);
  if (!answer) return toSuccess(output);
  const { value } = answer;
  return { ...toSuccess(JSON.stringify(value), { value, schema }), value };
}

/** Whose limit it is that holds: the agent's own, or that of the run. */
const ownerOf = ({ parameters }: Engine, limit: keyof RunParameters): string =>
  parameters[limit] === undefined ? "its" : "the run's";
