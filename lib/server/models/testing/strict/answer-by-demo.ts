import "server-only";
import type { ChatCompletionRequest, ChatMessage, FixtureResponse } from "@copilotkit/aimock";
import type { Message } from "@/lib/core/run/events/messages";
import type { ModelRequest, ToolSpec } from "@/lib/core/run/ports/model";
import { createDemoModel } from "../../demo/demo";
import { sampleSchema } from "../../demo/sample";
import { isObject, type JsonObject, parseJson } from "../../json";
import { doneIn, readAll } from "../read";

const demo = createDemoModel(0);

interface DemoAnswerOptions {
  /** Of the answer. */
  schema: JsonObject | null;
  /** What the model thinks first; null: it does not. */
  thought: string | null;
  /** The parameters of a tool that the test server does not read. */
  parametersOf(name: string): JsonObject;
  toCallId(name: string): string;
}

/** What a service answers to a request that it took: the simulated answer, which calls the offered tools and keeps to schemas. */
export async function answerByDemo(
  request: ChatCompletionRequest,
  { thought, toCallId, ...options }: DemoAnswerOptions,
): Promise<FixtureResponse> {
  const { message } = doneIn(await readAll(demo, toModelRequest(request, options)));
  const extra = thought === null ? {} : { reasoning: thought };
  if (!message.toolCalls?.length) return { content: message.content, ...extra };
  const toolCalls = message.toolCalls.map(({ name, arguments: text }) => ({
    id: toCallId(name),
    name,
    arguments: text,
  }));
  return { toolCalls, ...extra };
}

function toModelRequest(
  { model, messages, tools = [] }: ChatCompletionRequest,
  { schema, parametersOf }: Pick<DemoAnswerOptions, "schema" | "parametersOf">,
): ModelRequest {
  const names = new Map(
    messages.flatMap((message) => message.tool_calls ?? []).map(({ id, ...call }) => [id, call.function.name]),
  );
  const asked = schema ?? readAskedSchema(messages);
  return {
    agent: "agent",
    model,
    messages: messages.map((message) => toMessage(message, names)),
    tools: tools.map(
      ({ function: { name, description = "", parameters } }): ToolSpec => ({
        name,
        description,
        parameters: isObject(parameters) ? parameters : parametersOf(name),
      }),
    ),
    ...(asked && { output_schema: toSampled(asked) }),
    signal: new AbortController().signal,
  };
}

function toMessage(
  { role, content, tool_calls: calls, tool_call_id: id = "" }: ChatMessage,
  names: ReadonlyMap<string, string>,
): Message {
  const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("");
  if (role === "tool") return { role, toolCallId: id, name: names.get(id) ?? "", content: text };
  if (role !== "assistant") return { role: role === "user" ? role : "system", content: text };
  const toolCalls = calls?.map((call) => ({
    id: call.id,
    name: call.function.name,
    arguments: call.function.arguments,
  }));
  return { role, content: text, ...(toolCalls && { toolCalls }) };
}

/** The schema that the instructions ask for in words. */
function readAskedSchema(messages: readonly ChatMessage[]): JsonObject | null {
  const system = messages.filter(({ role }) => role === "system").map(({ content }) => String(content));
  const written = /JSON Schema:\s*(\{.*\})\s*$/m.exec(system.join("\n"))?.[1];
  const schema = parseJson(written ?? "");
  return isObject(schema) ? schema : null;
}

/** A text that is to hold JSON by a schema of its own becomes such a text. */
function toSampled(schema: JsonObject): JsonObject {
  const inner = /A JSON text, not the value itself(?: by this JSON Schema: (\{.*\}))?$/.exec(
    String(schema.description ?? ""),
  );
  if (inner) {
    const innerSchema = parseJson(inner[1] ?? "{}");
    const hints = { prompt: "", topic: "a topic", turn: 0, fillAll: true };
    return { type: "string", enum: [JSON.stringify(sampleSchema(isObject(innerSchema) ? innerSchema : {}, hints))] };
  }
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (Array.isArray(value)) return [key, value.map((item) => (isObject(item) ? toSampled(item) : item))];
      return [key, isObject(value) ? toSampled(value) : value];
    }),
  );
}
