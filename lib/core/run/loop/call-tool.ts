import { z } from "zod";
import type { Agent } from "../../kinds/agent";
import type { NodeResult } from "../events/event-recorder";
import type { ToolCall, ToolMessage } from "../events/messages";
import { noUsage, type Usage } from "../events/usage";
import { callHooks } from "../ports/hooks";
import { requestHumanInput } from "../ports/human-input";
import type { Tool } from "../ports/tool";
import {
  type Engine,
  positionInside,
  type RunPosition,
  recordNode,
  toErrorMessage,
  toFailure,
  toStopped,
} from "../scope/engine";
import { type CancelScope, ScopeStop } from "../scope/scope";
import { type AgentTool, requiresApproval } from "./agent-tools";

/** A tool that says nothing for so long is given up. */
const toolSeconds = 60;

/** Longest result that a model is shown, and longest arguments that are read, in UTF-16 units. */
const longestResult = 200_000;
const longestArguments = 1_000_000;

interface ToolExecution {
  call: ToolCall;
  tools: ReadonlyMap<string, AgentTool>;
  agent: Agent;
  path: string;
  /** Behind the names of what runs below this call. */
  mark: string;
  /** The place, from 1, of the agent's decision that led to it. */
  decision: number;
}

/**
 * Executes one tool call as one tool_call node. Whatever is wrong with it (unknown tool, arguments that are no JSON or do
 * not fit, a throwing or silent tool, a person who says no) is a message with an error, which the model sees. Null: the
 * run was stopped.
 */
export async function callTool(
  engine: Engine,
  place: RunPosition,
  given: ToolExecution,
): Promise<{ message: ToolMessage; usage: Usage; simulated: boolean } | null> {
  const { call, path } = given;
  const { hooks } = engine.options;
  const step = { parent: place.parent, path, kind: "tool_call", name: call.name, input: call.arguments } as const;
  const result = await recordNode(engine, step, async (id) => {
    await engine.recorder.settled();
    const told = { agent: given.agent.name, path, call };
    if (hooks) await callHooks(engine, { ...told, point: "PRE_TOOL_CALL" });
    if (place.scope.stop) return toStopped(place.scope.stop);
    const inner = positionInside(place, id, path);
    const prepared = await prepareCall(engine, inner, given);
    const ended: ToolResult =
      "status" in prepared
        ? prepared
        : { ...(await executeCall(engine, inner, prepared, given.mark)), edited: prepared.arguments.edited };
    const { output: text, error } = ended;
    if (hooks) await callHooks(engine, { ...told, point: "POST_TOOL_CALL", text, error });
    return { ...ended, metadata: { ...ended.metadata, decision: given.decision } };
  });
  if (place.scope.stop) return null;
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

type ToolResult = NodeResult & Pick<ReadArguments, "edited">;

/** What the model is shown: the result, with the arguments that led to it where they are not its own. */
function toContent({ output, error, edited }: ToolResult): string {
  const content = output === "" && error ? error.message : output;
  return edited
    ? `${edited.by} changed the arguments of this call to ${edited.text}. Its result:\n${content}`
    : content;
}

/** A call that may be executed: its tool, with arguments that fit. */
interface PreparedCall {
  tool: AgentTool;
  arguments: ReadArguments;
}

/** Finds the tool, reads the arguments, asks a person where the agent needs approval. Or how the call ends without being executed. */
async function prepareCall(
  engine: Engine,
  inner: RunPosition,
  { call, tools, agent }: ToolExecution,
): Promise<PreparedCall | NodeResult> {
  const tool = tools.get(call.name);
  if (!tool) return toToolError(`There is no tool "${call.name}". ${listTools(tools)}`);
  const read = await readArguments(tool, call.arguments);
  if (!read.ok) return toToolError(read.message);
  if (!requiresApproval(engine, agent, call.name)) return { tool, arguments: read };
  return approveCall(engine, inner, { call, agent, prepared: { tool, arguments: read } });
}

async function executeCall(
  engine: Engine,
  inner: RunPosition,
  { tool, arguments: { value } }: PreparedCall,
  mark: string,
) {
  if (!("perform" in tool)) return execute(engine, inner.scope, tool, value);
  const result = await tool.perform(value, { ...inner, pathSuffix: mark });
  if (result.status === "SUCCESS" || inner.scope.stop) return { ...result, output: cut(result.output) };
  const message = result.error?.message ?? "It failed.";
  return { ...toToolError(message), usage: result.usage, simulated: result.simulated };
}

interface CallApproval extends Pick<ToolExecution, "call" | "agent"> {
  prepared: PreparedCall;
}

/** Asks a person for the call. Edited arguments that do not fit the tool are asked for again. */
async function approveCall(
  engine: Engine,
  inner: RunPosition,
  { call, agent, prepared }: CallApproval,
): Promise<PreparedCall | NodeResult> {
  const { tool } = prepared;
  const request = {
    type: "tool",
    node: inner.parent,
    path: inner.path,
    text: call.arguments,
    schema: tool.spec.parameters,
  } as const;
  for (let message = `"${agent.name}" wants to use ${call.name}.`; ; ) {
    const answer = await requestHumanInput(engine, inner.scope, { ...request, message });
    if (!answer.ok) return "stop" in answer ? toStopped(answer.stop) : toToolError(answer.error.message);
    const { decision, by, reason, text } = answer.answer;
    if (decision === "rejected") return toToolError(`${by} did not allow this call${reason ? `: ${reason}` : "."}`);
    if (text === undefined) return prepared;
    const edited = await readArguments(tool, text);
    if (edited.ok) return { tool, arguments: { ...edited, edited: { by, text } } };
    ({ message } = edited);
  }
}

const listTools = (tools: ReadonlyMap<string, AgentTool>): string =>
  tools.size === 0 ? "You have no tools." : `Your tools: ${[...tools.keys()].join(", ")}.`;

/** `edited`: a person replaced the arguments that the model wrote. */
interface ReadArguments {
  ok: true;
  value: unknown;
  edited?: { by: string; text: string };
}
type ParsedArguments = ReadArguments | { ok: false; message: string };

/** The arguments as the tool wants them. Blank means no arguments. */
async function readArguments(tool: AgentTool, text: string): Promise<ParsedArguments> {
  const { name } = tool.spec;
  if (text.length > longestArguments) {
    const message = `The arguments of "${name}" have ${text.length} characters; at most ${longestArguments} are read.`;
    return { ok: false, message };
  }
  let json: unknown;
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `The arguments of "${name}" are not valid JSON: ${toErrorMessage(error)}` };
  }
  const parsed = await tool.input.safeParseAsync(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: `The arguments do not fit "${name}":\n${z.prettifyError(parsed.error)}` };
}

async function execute(engine: Engine, outer: CancelScope, tool: Tool, input: unknown): Promise<NodeResult> {
  const { context } = engine;
  const scope = outer.open();
  const message = `"${tool.spec.name}" gave no result within ${toolSeconds} s.`;
  scope.stopAfter(toolSeconds, new ScopeStop("TIMEOUT", { code: "tool", message }), context.sleep);
  const world = { signal: scope.signal, now: context.now, workspace: context.workspace };
  try {
    const value = await scope.guard(tool.execute(input, world));
    if (!(value instanceof ScopeStop)) return toToolResult(value);
    return outer.stop ? toStopped(value) : { ...toToolError(message), status: "TIMEOUT" };
  } catch (error) {
    return toToolError(`"${tool.spec.name}" failed: ${toErrorMessage(error)}`);
  } finally {
    scope.close();
  }
}

/** Text as it is, anything else as JSON; the end of a huge result is left out, and that is said. */
function toToolResult(value: unknown): NodeResult {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  return { status: "SUCCESS", output: cut(text), usage: noUsage, simulated: false, metadata: { isError: false } };
}

function toToolError(message: string): NodeResult {
  const output = cut(message);
  return { ...toFailure({ code: "tool", message: output }), output, metadata: { isError: true } };
}

function cut(text: string): string {
  if (text.length <= longestResult) return text;
  const kept = text.slice(0, longestResult).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}
