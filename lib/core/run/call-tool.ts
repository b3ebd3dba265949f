import { z } from "zod";
import { type Engine, type Place, runStep, toFailure, toStopped, toText } from "./engine";
import type { ToolCall, ToolMessage } from "./messages";
import type { StepResult } from "./recorder";
import { type Scope, Stop } from "./scope";
import type { Tool } from "./tool";
import { noUsage } from "./usage";

/** A tool that says nothing for so long is given up. */
const toolSeconds = 60;

/** Longest result that a model is shown, in UTF-16 units. */
const longestResult = 200_000;

/**
 * Executes one tool call as one tool_call node. Whatever is wrong with it (unknown tool, arguments that are no JSON or do
 * not fit, a throwing or silent tool) is a message with an error, which the model sees. Null: the run was stopped.
 */
export async function callTool(
  engine: Engine,
  place: Place,
  { call, tools, path }: { call: ToolCall; tools: ReadonlyMap<string, Tool>; path: string },
): Promise<ToolMessage | null> {
  const step = { parent: place.parent, path, kind: "tool_call", name: call.name, input: call.arguments } as const;
  const result = await runStep(engine, step, async () => {
    await engine.recorder.settled();
    if (place.scope.stop) return toStopped(place.scope.stop);
    const tool = tools.get(call.name);
    if (!tool) return toToolError(`There is no tool "${call.name}". ${listTools(tools)}`);
    const input = await readArguments(tool, call.arguments);
    return input.ok ? execute(engine, place.scope, tool, input.value) : toToolError(input.message);
  });
  if (place.scope.stop) return null;
  const isError = result.status !== "SUCCESS";
  return {
    role: "tool",
    toolCallId: call.id,
    name: call.name,
    content: result.output === "" && result.error ? result.error.message : result.output,
    ...(isError && { isError }),
  };
}

const listTools = (tools: ReadonlyMap<string, Tool>): string =>
  tools.size === 0 ? "You have no tools." : `Your tools: ${[...tools.keys()].join(", ")}.`;

type Input = { ok: true; value: unknown } | { ok: false; message: string };

/** The arguments as the tool wants them. Blank means no arguments. */
async function readArguments(tool: Tool, text: string): Promise<Input> {
  let json: unknown;
  try {
    json = text.trim() === "" ? {} : JSON.parse(text);
  } catch (error) {
    return { ok: false, message: `The arguments of "${tool.spec.name}" are not valid JSON: ${toText(error)}` };
  }
  const parsed = await tool.input.safeParseAsync(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, message: `The arguments do not fit "${tool.spec.name}":\n${z.prettifyError(parsed.error)}` };
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
