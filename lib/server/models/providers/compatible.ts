import "server-only";
import type { AssistantMessage, ToolCall } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { redact } from "../../log/redact";
import type { TextEvent } from "../call/answer-limits";
import { type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { withPlainCalls } from "../call/call-names";
import { CallRefused, classify, type ProviderRefusal, toServerError } from "../call/failure";
import { toBodyRefusal } from "../call/refusal";
import { openAnswer, type ProviderAnswer } from "../call/wire";
import { toPieces, toWriter } from "../call/written-parts";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest, toStrictMessages } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";
import { isObject, type JsonObject, parseJson } from "../json";
import { TextCalls } from "../text-calls/text-calls";

/**
 * Any server that speaks Chat Completions more or less: Ollama, LM Studio, vLLM, llama.cpp, a gateway. Reads what they
 * are known to do differently. What it costs is unknown.
 */
export const createCompatibleModel = defineModel("compatible", "", { perform: streamChat });

type ChatRequestBody = ReturnType<typeof toBody>;

/** Ids that any server takes but Mistral's, which wants exactly nine letters and digits. */
const [callId, mistralCallId] = [/^[\w.:-]{1,64}$/, /^[a-zA-Z0-9]{9}$/];
const mistralNames = /(?:mis|minis|magis|code|devs|pixs?|vox)tral/i;

function toBody(request: ModelRequest) {
  const isId = mistralNames.test(request.model) ? mistralCallId : callId;
  const messages = withPlainCalls(toStrictMessages(request.messages), isId).map((message) =>
    message.role === "assistant" && message.toolCalls
      ? { ...message, toolCalls: message.toolCalls.map(toStrictCall) }
      : message,
  );
  const writer = toWriter("compatible", request.model);
  return {
    ...toChatRequest(request, { messages, toFields: (message) => toReasoningFields(message, writer) }),
    ...(request.max_tokens !== undefined && { max_tokens: request.max_tokens }),
  };
}

/** What the model thought goes back under the name under which it came. */
function toReasoningFields(message: AssistantMessage, writer: string): JsonObject {
  const own = toPieces(message, writer).flatMap((piece) => (piece.type === "own" ? piece.value : []));
  return Object.assign({}, ...own);
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
  const opened = await openAnswer(answer.body.iterator({ destroyOnReturn: false }), wire.onHeard);
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

/**
 * The same request as the server wants it: without the schema, the wish for usage or the tools, or with thoughts where another
 * model had none. Null: it is refused for another reason.
 */
function simplify(body: ChatRequestBody, refusal: ProviderRefusal): { body: ChatRequestBody; without: string } | null {
  const isChoosy = [400, 404, 405, 422, 500, 501].includes(refusal.status) && classify(refusal) !== "context-length";
  if (!isChoosy) return null;
  const refusalText = `${refusal.code ?? ""} ${refusal.message}`;
  const withThoughts = lacksThoughts.test(refusalText) ? fillThoughts(body) : null;
  if (withThoughts) return { body: withThoughts, without: "reasoning_content" };
  const { response_format, ...free } = body;
  if (response_format && refusesSchemas.test(refusalText)) return { body: free, without: "response_format" };
  const { stream_options, tools, ...bodyWithoutTools } = body;
  if (tools && refusesTools.test(refusalText))
    return { body: stream_options ? { ...bodyWithoutTools, stream_options } : bodyWithoutTools, without: "tools" };
  if (!stream_options || !refusesUsage.test(refusalText)) return null;
  return { body: { ...bodyWithoutTools, ...(tools && { tools }) }, without: "stream_options" };
}

/** That it counts no tokens in a stream, or that it takes no field that it does not know. */
const refusesUsage =
  /stream_options|include_usage|(?:unknown|unrecognized|unexpected|unsupported|extra|additional)\b.{0,40}\b(?:fields?|parameters?|arguments?|inputs?|keys?|propert(?:y|ies))\b/i;

const refusesSchemas = /response_format|json_schema|schema|grammar/i;

/**
 * That tools are not taken at all, in the words of Ollama, vLLM, llama.cpp, LM Studio, OpenRouter, Hugging Face and of servers
 * that refuse unknown fields. A wrong call, or a wrong schema of one tool, is something else.
 */
const refusesTools = new RegExp(
  [
    /(?:does|do) not support (?:the )?(?:use of )?(?:tools?|tool[_ -](?:use|calls?|calling|choice)|functions?|function[_ -]call(?:s|ing)?)\b/,
    /(?:tools?|tool[_ -](?:use|calls?|calling|choice)|functions?|function[_ -]call(?:s|ing)?) (?:is|are) (?:not|un)[ -]?(?:supported|enabled|available|implemented|allowed|permitted)/,
    /(?:no endpoints? found that supports? tool|(?:requires?|needs?) --(?:enable-auto-tool-choice|jinja|tool-call-parser))/,
    /(?:unknown|unrecognized|unexpected|unsupported|extra|additional|invalid)\b.{0,40}\b(?:fields?|parameters?|arguments?|inputs?|keys?|propert(?:y|ies))\b.{0,40}\btools\b/,
    /(?:^|[\s.])tools: (?:extra|unexpected|unknown|unrecognized|unsupported)/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** DeepSeek, Kimi: https://api-docs.deepseek.com/guides/thinking_mode */
const lacksThoughts =
  /reasoning_content.{0,80}(?:missing|must be passed back|required)|missing.{0,40}reasoning_content/i;

/** Empty thoughts where a message has none: another model wrote it, or thinking was off. Null: there is no such message. */
function fillThoughts(body: ChatRequestBody): ChatRequestBody | null {
  const isWithout = (message: object): boolean =>
    "role" in message && message.role === "assistant" && !("reasoning_content" in message);
  if (!body.messages.some(isWithout)) return null;
  const messages = body.messages.map((message) =>
    isWithout(message) ? { ...message, reasoning_content: "" } : message,
  );
  return { ...body, messages };
}

const toReason = ({ message }: ProviderRefusal): string =>
  `The server refused the request, so it was repeated in a form that it takes. Its message: ${redact(message, []).slice(0, 300)}`;

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
