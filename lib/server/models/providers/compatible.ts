import "server-only";
import type { ToolCall } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { redact } from "../../log/redact";
import type { TextEvent } from "../call/answer-limits";
import { type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { CallRefused, classify, type ProviderRefusal, toServerError } from "../call/failure";
import { toBodyRefusal } from "../call/refusal";
import { openAnswer, type ProviderAnswer } from "../call/wire";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest, toStrictMessages } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";
import { isObject, parseJson } from "../json";
import { TextCalls } from "../text-calls/text-calls";

/**
 * Any server that speaks Chat Completions more or less: Ollama, LM Studio, vLLM, llama.cpp, a gateway. Reads what they
 * are known to do differently. What it costs is unknown.
 */
export const createCompatibleModel = defineModel("compatible", "", { perform: streamChat });

type ChatRequestBody = ReturnType<typeof toBody>;

function toBody(request: ModelRequest) {
  const messages = toStrictMessages(request.messages).map((message) =>
    message.role === "assistant" && message.toolCalls
      ? { ...message, toolCalls: message.toolCalls.map(toStrictCall) }
      : message,
  );
  return {
    ...toChatRequest(request, messages),
    ...(request.max_tokens !== undefined && { max_tokens: request.max_tokens }),
  };
}

/** Calls as templates want them. Kept, for a call is sent again with every later turn of its conversation. */
const strictCalls = new WeakMap<ToolCall, ToolCall>();

/** Templates read past arguments as JSON and fail on anything that is none. */
function toStrictCall(call: ToolCall): ToolCall {
  const strict = strictCalls.get(call) ?? (isObject(parseJson(call.arguments)) ? call : { ...call, arguments: "{}" });
  strictCalls.set(call, strict);
  return strict;
}

async function* streamChat(request: ModelRequest, context: CallContext): AnswerEvents {
  const { wire } = context;
  let body = toBody(request);
  let answer = await post(body, context);
  while (wire.refusal) {
    const simpler = simplify(body, wire.refusal);
    if (!simpler) throw new CallRefused(wire.refusal);
    wire.dropped.push({ parameter: simpler.without, reason: toReason(wire.refusal) });
    body = simpler.body;
    answer = await post(body, context);
  }
  const reader = new ChatReader(request.messages.length, { tolerant: true, textCalls: toTextCalls(request, body) });
  const opened = await openAnswer(answer.body.iterator({ destroyOnReturn: false }));
  if ("whole" in opened) yield readWhole(opened.whole, reader);
  else yield* readChatStream(opened.stream, reader);
  yield reader.finish();
}

/** What reads calls from the text of the answer; null where no tools are offered. */
const toTextCalls = ({ tools, output_schema }: ModelRequest, body: ChatRequestBody): TextCalls | null =>
  body.tools
    ? new TextCalls(new Map(tools.map((tool) => [tool.name, tool])), { bareJson: output_schema === undefined })
    : null;

const post = (body: ChatRequestBody, { apiKey, baseUrl, wire }: CallContext): Promise<ProviderAnswer> =>
  wire.send(`${baseUrl.replace(/\/+$/, "")}/chat/completions`, {
    headers: {
      "content-type": "application/json",
      accept: "text/event-stream, application/json",
      "user-agent": "swarmloom",
      ...(apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
  });

/** The same request without what the server refused: the schema, the wish for usage, the tools. Null: nothing to leave out. */
function simplify(body: ChatRequestBody, refusal: ProviderRefusal): { body: ChatRequestBody; without: string } | null {
  const refusalText = `${refusal.code ?? ""} ${refusal.message}`;
  const isChoosy = [400, 404, 405, 422, 500, 501].includes(refusal.status) && classify(refusal) !== "context-length";
  if (!isChoosy) return null;
  const { response_format, ...free } = body;
  if (response_format && /response_format|json_schema|schema|grammar/i.test(refusalText))
    return { body: free, without: "response_format" };
  const { stream_options, tools, ...bodyWithoutTools } = body;
  if (tools && /\btools?\b|tool[_-]|function/i.test(refusalText))
    return { body: stream_options ? { ...bodyWithoutTools, stream_options } : bodyWithoutTools, without: "tools" };
  const isAboutForm = refusal.status === 400 || refusal.status === 422 || /stream_options/.test(refusalText);
  if (!stream_options || !isAboutForm) return null;
  return { body: { ...bodyWithoutTools, ...(tools && { tools }) }, without: "stream_options" };
}

const toReason = ({ message }: ProviderRefusal): string =>
  `The server refused it, so the call was repeated without it. Its message: ${redact(message, []).slice(0, 300)}`;

/** Some servers ignore `stream: true` and answer with one JSON body. */
function readWhole(text: string, reader: ChatReader): TextEvent[] {
  const answer = parseJson(text);
  const refusal = toBodyRefusal(answer);
  if (refusal) throw new CallRefused(refusal);
  if (!isObject(answer)) throw toServerError(`The server sent no answer: ${text.slice(0, 200)}`);
  reader.isComplete = true;
  reader.deviations.add("json-for-stream");
  return reader.read(answer);
}
