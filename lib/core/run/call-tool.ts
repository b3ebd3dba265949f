import { z } from "zod";
import type { Agent } from "../flow/flow";
import { type AgentTool, requiresApproval } from "./agent-tools";
import { type Engine, inside, type Place, runStep, toFailure, toStopped, toText } from "./engine";
import { callHooks } from "./hooks";
import type { ToolCall, ToolMessage } from "./messages";
import { askPerson } from "./people";
import type { StepResult } from "./recorder";
import { type Scope, Stop } from "./scope";
import type { Tool } from "./tool";
import { noUsage, type Usage } from "./usage";

/** A tool that says nothing for so long is given up. */
const toolSeconds = 60;

/** Longest result that a model is shown, and longest arguments that are read, in UTF-16 units. */
const longestResult = 200_000;
const longestArguments = 1_000_000;

interface Call {
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
  place: Place,
  given: Call,
): Promise<{ message: ToolMessage; usage: Usage; simulated: boolean } | null> {
  const { call, path } = given;
  const { hooks } = engine.options;
  const step = { parent: place.parent, path, kind: "tool_call", name: call.name, input: call.arguments } as const;
  const result = await runStep(engine, step, async (id) => {
    await engine.recorder.settled();
    const told = { agent: given.agent.name, path, call };
    if (hooks) await callHooks(engine, { ...told, point: "PRE_TOOL_CALL" });
    if (place.scope.stop) return toStopped(place.scope.stop);
    const found = await prepareAndExecute(engine, inside(place, id, path), given);
    const { output: text, error } = found;
    if (hooks) await callHooks(engine, { ...told, point: "POST_TOOL_CALL", text, error });
    return { ...found, metadata: { ...found.metadata, decision: given.decision } };
  });
  if (place.scope.stop) return null;
  const isError = result.status !== "SUCCESS";
  const message: ToolMessage = {
    role: "tool",
    toolCallId: call.id,
    name: call.name,
    content: result.output === "" && result.error ? result.error.message : result.output,
    ...(isError && { isError }),
  };
  return { message, usage: result.usage, simulated: result.simulated };
}

async function prepareAndExecute(
  engine: Engine,
  inner: Place,
  { call, tools, agent, mark }: Call,
): Promise<StepResult> {
  const tool = tools.get(call.name);
  if (!tool) return toToolError(`There is no tool "${call.name}". ${listTools(tools)}`);
  let input = await readArguments(tool, call.arguments);
  if (input.ok && requiresApproval(engine, agent, call.name)) {
    const asked = {
      type: "tool",
      node: inner.parent,
      path: inner.path,
      message: `"${agent.name}" wants to use ${call.name}.`,
      text: call.arguments,
    } as const;
    const answer = await askPerson(engine, inner.scope, asked);
    if (!answer.ok) return "stop" in answer ? toStopped(answer.stop) : toToolError(answer.error.message);
    const { decision, by, reason, text } = answer.answer;
    if (decision === "rejected") return toToolError(`${by} did not allow this call${reason ? `: ${reason}` : "."}`);
    if (text !== undefined) input = await readArguments(tool, text);
  }
  if (!input.ok) return toToolError(input.message);
  if (!("perform" in tool)) return execute(engine, inner.scope, tool, input.value);
  const result = await tool.perform(input.value, { ...inner, mark });
  if (result.status === "SUCCESS" || inner.scope.stop) return { ...result, output: cut(result.output) };
  const message = result.error?.message ?? "It failed.";
  return { ...toToolError(message), usage: result.usage, simulated: result.simulated };
}

const listTools = (tools: ReadonlyMap<string, AgentTool>): string =>
  tools.size === 0 ? "You have no tools." : `Your tools: ${[...tools.keys()].join(", ")}.`;

type Input = { ok: true; value: unknown } | { ok: false; message: string };

/** The arguments as the tool wants them. Blank means no arguments. */
async function readArguments(tool: AgentTool, text: string): Promise<Input> {
  const { name } = tool.spec;
  if (text.length > longestArguments) {
    const message = `The arguments of "${name}" have ${text.length} characters; at most ${longestArguments} are read.`;
    return { ok: false, message };
  }
  let json: unknown;
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `The arguments of "${name}" are not valid JSON: ${toText(error)}` };
  }
  const parsed = await tool.input.safeParseAsync(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: `The arguments do not fit "${name}":\n${z.prettifyError(parsed.error)}` };
}

async function execute(engine: Engine, outer: Scope, tool: Tool, input: unknown): Promise<StepResult> {
  const { context } = engine;
  const scope = outer.open();
  const message = `"${tool.spec.name}" gave no result within ${toolSeconds} s.`;
  scope.stopAfter(toolSeconds, new Stop("TIMEOUT", { code: "tool", message }), context.sleep);
  const world = { signal: scope.signal, now: context.now, workspace: context.workspace };
  try {
    const value = await scope.guard(tool.execute(input, world));
    if (!(value instanceof Stop)) return toToolResult(value);
    return outer.stop ? toStopped(value) : { ...toToolError(message), status: "TIMEOUT" };
  } catch (error) {
    return toToolError(`"${tool.spec.name}" failed: ${toText(error)}`);
  } finally {
    scope.close();
  }
}

/** Text as it is, anything else as JSON; the end of a huge result is left out, and that is said. */
function toToolResult(value: unknown): StepResult {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "null");
  return { status: "SUCCESS", output: cut(text), usage: noUsage, simulated: false, metadata: { isError: false } };
}

function toToolError(message: string): StepResult {
  const output = cut(message);
  return { ...toFailure({ code: "tool", message: output }), output, metadata: { isError: true } };
}

function cut(text: string): string {
  if (text.length <= longestResult) return text;
  const kept = text.slice(0, longestResult).replace(/[\uD800-\uDBFF]$/, "");
  return `${kept}\n[cut: ${text.length - kept.length} more characters]`;
}
