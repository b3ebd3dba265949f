import { z } from "zod";
import { parseJsonAs } from "../../flow/parse-json";
import type { Agent } from "../../kinds/agent";
import { answererWords } from "../events/answerer-words";
import type { NodeResult } from "../events/event-recorder";
import type { HumanInputAnswer } from "../events/events";
import type { ToolCall, ToolMessage } from "../events/messages";
import { type EndedStep, findEditedText, type JournalStep } from "../journal/journal";
import type { Tool } from "../ports/tool";
import { ScopeStop } from "../scope/cancel-scope";
import { type Engine, positionInside, type RunPosition } from "../scope/engine";
import { toErrorMessage, toFailure, toStopped, toSuccess } from "../scope/node-result";
import { recordCall, recordNode } from "../scope/record-node";
import type { ToolCallResult } from "./agent-conversation";
import { type AgentTool, requiresApproval } from "./agent-tools";
import { callHooks } from "./call-hooks";
import { describeChanges } from "./describe-changes";
import { requestHumanInput } from "./request-human-input";
import { canonicalJson } from "./tool-signature";

/** Time limit of a tool, in seconds. */
const toolSeconds = 60;

/** Longest result that is sent to a model, and longest arguments that are read, in UTF-16 units. */
const longestResult = 200_000;
const longestArguments = 1_000_000;

interface ToolExecution {
  engine: Engine;
  /** Inside the agent's node. */
  position: RunPosition;
  call: ToolCall;
  tools: ReadonlyMap<string, AgentTool>;
  agent: Agent;
  path: string;
  /** Path suffix of the nodes that this call runs. */
  pathSuffix: string;
  /** The number, from 1, of the agent's decision that led to it. */
  decision: number;
}

/**
 * Executes one tool call as one tool_call node. Every fault of it (unknown tool, invalid arguments, an exception, a time
 * limit, a rejected approval) becomes a message with an error, which the model sees. Null: the run was stopped.
 */
export async function callTool(given: ToolExecution): Promise<ToolCallResult | null> {
  const { engine, position, path, agent, decision } = given;
  const call = { ...given.call, arguments: engine.options.edits?.get(path)?.input ?? given.call.arguments };
  const execution = { ...given, call };
  const { hooks } = engine.options;
  const start = { parent: position.parent, path, kind: "tool_call", name: call.name, input: call.arguments } as const;
  const ended = engine.options.journal?.recall(path);
  if (ended) return toCallResult(execution, await recallTool(execution, ended));
  const tool = execution.tools.get(call.name);
  // A tool of the engine waits for steps inside it, which are held back themselves.
  const record = tool && "perform" in tool ? recordNode : recordCall;
  const result = await record(engine, start, async (id): Promise<ToolResult> => {
    await engine.recorder.settled();
    const hookContext = { agent: agent.name, path, call };
    if (hooks) await callHooks(engine, { ...hookContext, point: "PRE_TOOL_CALL" });
    if (position.scope.stop) return toStopped(position.scope.stop);
    const callPosition = { ...positionInside(position, id, path), pathSuffix: execution.pathSuffix };
    const prepared = await prepareCall({ ...execution, position: callPosition });
    const ended: ToolResult =
      "status" in prepared
        ? prepared
        : { ...(await executeCall(engine, callPosition, prepared)), edited: prepared.edited };
    const { output: text, error } = ended;
    if (hooks) await callHooks(engine, { ...hookContext, point: "POST_TOOL_CALL", text, error });
    return { ...ended, metadata: { ...ended.metadata, decision } };
  });
  return position.scope.stop ? null : toCallResult(execution, result);
}

/** The result of a call that an earlier executor made. */
async function recallTool(execution: ToolExecution, step: EndedStep): Promise<ToolResult> {
  const { engine, position, call, tools, path } = execution;
  const { result } = step;
  const edited = findEditedText(step, "tool");
  const tool = tools.get(call.name);
  if (tool && "perform" in tool && tool.isRecalled && result.status === "SUCCESS") {
    const prepared = await parseArguments(tool, edited?.text ?? call.arguments);
    const callPosition = { ...positionInside(position, step.id, path), pathSuffix: execution.pathSuffix };
    if (typeof prepared !== "string") await tool.perform(prepared.value, callPosition, engine, result);
  }
  return { ...result, ...(edited && { edited }) };
}

function toCallResult({ call }: ToolExecution, result: ToolResult): ToolCallResult {
  const isError = result.status !== "SUCCESS";
  const message: ToolMessage = {
    role: "tool",
    toolCallId: call.id,
    name: call.name,
    content: toContent(result),
    ...(isError && { isError }),
  };
  return { message, usage: result.usage, simulated: result.simulated };
}

type ToolResult = NodeResult & Pick<PreparedCall, "edited">;

/** The text that the model receives: the result, with the arguments if a user edited them. */
function toContent({ output, error, edited }: ToolResult): string {
  const content = output === "" && error ? error.message : output;
  return edited ? `${edited.by}${answererWords.argumentsChanged}${edited.text}. Its result:\n${content}` : content;
}

/** A call that may be executed: its tool, with valid arguments. */
interface PreparedCall {
  tool: AgentTool;
  value: unknown;
  /** A user replaced the arguments of the model. */
  edited?: { by: string; text: string } | undefined;
}

/** Finds the tool, validates the arguments, and requests approval if needed. Or how the call ends without being executed. */
async function prepareCall(execution: ToolExecution): Promise<PreparedCall | NodeResult> {
  const { engine, call, tools, agent } = execution;
  const tool = tools.get(call.name);
  if (!tool) return toToolError(`There is no tool "${call.name}". ${listTools(tools)}`);
  const prepared = await parseArguments(tool, call.arguments);
  if (typeof prepared === "string") return toToolError(prepared);
  const step = engine.options.journal?.find(execution.path);
  if (step) return resumeCall(execution, prepared, step);
  if (!requiresApproval(engine, agent, call.name)) return prepared;
  return approveCall(execution, prepared, { message: toApprovalMessage(execution) });
}

const toApprovalMessage = ({ agent, call }: ToolExecution): string => `"${agent.name}" wants to use ${call.name}.`;

/**
 * Prepares a call that an earlier executor began: with the arguments that a person gave it last. An approval lets a tool
 * that must not run twice run once: was it at work when its server stopped, a person decides again.
 */
async function resumeCall(
  execution: ToolExecution,
  original: PreparedCall,
  step: JournalStep,
): Promise<PreparedCall | NodeResult> {
  const { engine, call, agent } = execution;
  const { tool } = original;
  const { prepared, problem } = await recallArguments(original, step);
  const isWithdrawn = step.questions.some((question) => question.isWithdrawn);
  const last = step.questions.findLast((question) => question.request.type === "tool" && !question.isWithdrawn);
  if (last?.answer === null)
    return approveCall(execution, prepared, { message: last.request.message, isFixed: isWithdrawn });
  if (last?.answer?.decision === "rejected") return toRejection(last.answer);
  if (last && problem !== undefined) return approveCall(execution, prepared, { message: problem });
  if (isWithdrawn && !last)
    return approveCall(execution, prepared, { message: toApprovalMessage(execution), isFixed: true });
  if (!last && requiresApproval(engine, agent, call.name))
    return approveCall(execution, prepared, { message: toApprovalMessage(execution) });
  if ("perform" in tool || tool.isIdempotent?.(prepared.value) !== false) return prepared;
  const message = `The server stopped while ${call.name} was at work: it may have taken effect. Approve to call it again.`;
  return approveCall(execution, prepared, { message });
}

/** The call with the last arguments of a person that fit its tool; `problem`: those that were given after them do not. */
async function recallArguments(
  original: PreparedCall,
  step: JournalStep,
): Promise<{ prepared: PreparedCall; problem?: string }> {
  let prepared = original;
  let problem: string | undefined;
  for (const { request, answer } of step.questions) {
    if (request.type !== "tool" || answer?.decision !== "approved") continue;
    problem = undefined;
    if (answer.text === undefined) continue;
    const parsed = await parseArguments(original.tool, answer.text);
    if (typeof parsed === "string") problem = parsed;
    else prepared = { ...parsed, edited: { by: answer.by, text: answer.text } };
  }
  return { prepared, ...(problem !== undefined && { problem }) };
}

async function executeCall(engine: Engine, position: RunPosition, { tool, value }: PreparedCall) {
  if (!("perform" in tool)) return executeTool(engine, position, tool, value);
  const result = await tool.perform(value, position, engine);
  if (result.status === "SUCCESS" || position.scope.stop) return { ...result, output: truncate(result.output) };
  const message = result.error?.message ?? "It failed.";
  return { ...toToolError(message), usage: result.usage, simulated: result.simulated };
}

interface ApprovalRequest {
  message: string;
  /** The arguments cannot be changed: steps inside the call are reused with them. */
  isFixed?: boolean;
}

/** Requests approval of the call; again while edited arguments are not valid for the tool. */
async function approveCall(
  { engine, position: { parent: node, path, scope }, call }: ToolExecution,
  prepared: PreparedCall,
  { message: firstMessage, isFixed = false }: ApprovalRequest,
): Promise<PreparedCall | NodeResult> {
  const { tool } = prepared;
  const { pause } = engine.options;
  const changes = describeChanges(engine, path);
  const shown = prepared.edited?.text ?? call.arguments;
  const fixed = isFixed ? { fixed: true } : {};
  const request = { type: "tool", node, path, text: shown, schema: tool.spec.parameters, ...fixed } as const;
  for (let message = firstMessage; ; ) {
    const ask = () => requestHumanInput(engine, scope, { ...request, message: `${message}${changes}` });
    const answer = await (pause && !("perform" in tool) ? pause.suspendWork(ask) : ask());
    if (answer instanceof ScopeStop) return scope.stop ? toStopped(answer) : toToolError(answer.error.message);
    if (answer.decision === "rejected") return toRejection(answer);
    const { by: user, text } = answer;
    if (text === undefined || (isFixed && canonicalJson(text) === canonicalJson(shown))) return prepared;
    const edited = isFixed ? fixedArguments : await parseArguments(tool, text);
    if (typeof edited !== "string") return { ...edited, edited: { by: user, text } };
    message = edited;
  }
}

const fixedArguments =
  "The arguments cannot be changed here: steps after this call are reused. Approve them as they are, or reject the call.";

const toRejection = ({ by: user, reason }: HumanInputAnswer): NodeResult =>
  toToolError(`${user}${answererWords.notAllowed}${reason ? `: ${reason}` : "."}`);

const listTools = (tools: ReadonlyMap<string, AgentTool>): string =>
  tools.size === 0 ? "You have no tools." : `Your tools: ${[...tools.keys()].join(", ")}.`;

/** The call with its arguments as the tool accepts them, or what is wrong with them. A blank text means no arguments. */
async function parseArguments(tool: AgentTool, text: string): Promise<PreparedCall | string> {
  const { name } = tool.spec;
  if (text.length > longestArguments)
    return `The arguments of "${name}" have ${text.length} characters; at most ${longestArguments} are read.`;
  let json: unknown;
  try {
    json = parseJsonAs(text.trim() === "" ? "{}" : text, z.unknown());
  } catch (error) {
    return `The arguments of "${name}" are not valid JSON: ${toErrorMessage(error)}`;
  }
  const parsed = await tool.input.safeParseAsync(json);
  if (parsed.success) return { tool, value: parsed.data };
  return `The arguments do not fit "${name}":\n${z.prettifyError(parsed.error)}`;
}

async function executeTool(
  { context, options: { runId = "" } }: Engine,
  { scope: parentScope, path }: RunPosition,
  tool: Tool,
  input: unknown,
): Promise<NodeResult> {
  const scope = parentScope.open();
  const message = `"${tool.spec.name}" gave no result within ${toolSeconds} s.`;
  scope.stopAfter(toolSeconds, { code: "tool", message }, context.sleep);
  const toolContext = {
    signal: scope.signal,
    now: context.now,
    workspace: context.workspace,
    idempotencyKey: `${runId}:${path}`,
  };
  try {
    const value = await scope.guard(Promise.resolve(tool.execute(input, toolContext)));
    if (!(value instanceof ScopeStop)) return toToolResult(value);
    return parentScope.stop ? toStopped(value) : { ...toToolError(message), status: "TIMEOUT" };
  } catch (error) {
    return toToolError(`"${tool.spec.name}" failed: ${toErrorMessage(error)}`);
  } finally {
    scope.close();
  }
}

/** Text as it is, anything else as JSON; a huge result is truncated with a note about it. */
function toToolResult(value: unknown): NodeResult {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  return toSuccess(truncate(text), { isError: false });
}

function toToolError(message: string): NodeResult {
  const output = truncate(message);
  return { ...toFailure({ code: "tool", message: output }), output, metadata: { isError: true } };
}

function truncate(text: string): string {
  if (text.length <= longestResult) return text;
  const start = text.slice(0, longestResult).replace(/[\uD800-\uDBFF]$/, "");
  return `${start}\n[cut: ${text.length - start.length} more characters]`;
}
