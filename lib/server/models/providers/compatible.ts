import "server-only";
import type { AssistantMessage, ToolCall } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import type { TextEvent } from "../call/answer-limits";
import { type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { withPlainCalls } from "../call/call-names";
import { CallRefused, type ProviderRefusal, toServerError } from "../call/failure";
import { quoteRefusal, toBodyRefusal } from "../call/refusal";
import { openAnswer, type ProviderAnswer } from "../call/wire";
import { toPieces, toWriter } from "../call/written-parts";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest, toStrictMessages } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";
import { type ChatRequestBody, RequestSimplifier } from "../chat/simplify-request";
import { isObject, type JsonObject, parseJson } from "../json";
import { TextCalls } from "../text-calls/text-calls";

/**
 * Any server that speaks Chat Completions more or less: Ollama, LM Studio, vLLM, llama.cpp, a gateway. Reads what they
 * are known to do differently. What it costs is unknown.
 */
export const createCompatibleModel = defineModel("compatible", "", { perform: streamChat });

/** Ids that any server takes but Mistral's, which wants exactly nine letters and digits. */
const [callId, mistralCallId] = [/^[\w.:-]{1,64}$/, /^[a-zA-Z0-9]{9}$/];
const mistralNames = /(?:mis|minis|magis|code|devs|pixs?|vox)tral/i;

/** Between the result of a tool and the user's next words the assistant speaks: Mistral refuses anything else. */
const mistralSeparator = "Done.";

function toBody(request: ModelRequest): ChatRequestBody {
  const isMistral = mistralNames.test(request.model);
  const strict = toStrictMessages(request.messages, isMistral ? mistralSeparator : undefined);
  const messages = withPlainCalls(strict, isMistral ? mistralCallId : callId).map((message) =>
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
  const { wire, baseUrl } = context;
  const simplifier = new RequestSimplifier(`${baseUrl} ${request.model}`, toBody(request), (without, refusal) =>
    wire.dropped.push({ parameter: without, reason: toReason(refusal) }),
  );
  let answer = await post(simplifier.body, context);
  while (wire.refusal) {
    if (!simplifier.simplify(wire.refusal)) throw new CallRefused(wire.refusal);
    answer = await post(simplifier.body, context);
  }
  simplifier.keep();
  const textCalls = toTextCalls(request, simplifier.body);
  const reader = new ChatReader(request.messages.length, { tolerant: true, textCalls });
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

const toReason = (refusal: ProviderRefusal): string =>
  `The server refused the request, so it was repeated in a form that it takes. ${quoteRefusal(refusal)}`;

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
