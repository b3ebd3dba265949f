import "server-only";
import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import { classify, type ProviderRefusal } from "../call/failure";

export type ChatRequestBody = ChatCompletionCreateParamsStreaming;

/** What a request can leave out, or add, so that a server takes it. */
type Simplification =
  | "empty-thoughts"
  | "thoughts"
  | "texts-beside-calls"
  | "response_format"
  | "tools"
  | "stream_options";

/** What the request's records call it. */
const parameterOf: Record<Simplification, string> = {
  "empty-thoughts": "reasoning_content",
  thoughts: "reasoning_content",
  "texts-beside-calls": "content",
  response_format: "response_format",
  tools: "tools",
  stream_options: "stream_options",
};

/** They depend on the request alone; whether tools are taken changes with how a server was started. */
const lasting: ReadonlySet<Simplification> = new Set([
  "stream_options",
  "response_format",
  "thoughts",
  "empty-thoughts",
  "texts-beside-calls",
]);

/** What servers have refused, with their words, by server and model: asking again would only take time. */
const knownRefusals = new Map<string, ReadonlyMap<Simplification, ProviderRefusal>>();
/** More servers and models than anyone uses are not kept. */
const mostKnown = 1000;

/** Brings a request into a form that its server takes, step by step, as its refusals say. */
export class RequestSimplifier {
  readonly #applied = new Map<Simplification, ProviderRefusal>();

  /** `server`: the server and the model. `onLeaveOut` is called for each step, also for those that are known from before. */
  constructor(
    private readonly server: string,
    public body: ChatRequestBody,
    private readonly onLeaveOut: (parameter: string, refusal: ProviderRefusal) => void,
  ) {
    for (const [simplification, refusal] of knownRefusals.get(server) ?? []) this.#apply(simplification, refusal);
  }

  /** Simplifies the request by one step. False: it was refused for another reason. */
  simplify(refusal: ProviderRefusal): boolean {
    return findSimplifications(refusal).some((simplification) => this.#apply(simplification, refusal));
  }

  #apply(simplification: Simplification, refusal: ProviderRefusal): boolean {
    const simpler = this.#applied.has(simplification) ? null : simplifications[simplification](this.body);
    if (!simpler) return false;
    this.body = simpler;
    this.#applied.set(simplification, refusal);
    this.onLeaveOut(parameterOf[simplification], refusal);
    return true;
  }

  /** To be called when the request was taken: the next one begins with the same steps. */
  keep(): void {
    const kept = [...this.#applied].filter(([simplification]) => lasting.has(simplification));
    if (kept.length === 0 || (knownRefusals.size >= mostKnown && !knownRefusals.has(this.server))) return;
    knownRefusals.set(this.server, new Map([...(knownRefusals.get(this.server) ?? []), ...kept]));
  }
}

/** The same request in a simpler form; null: it has that form already. */
const simplifications: Record<Simplification, (body: ChatRequestBody) => ChatRequestBody | null> = {
  "empty-thoughts": fillThoughts,
  thoughts: withoutThoughts,
  "texts-beside-calls": withoutTextsBesideCalls,
  response_format: ({ response_format: format, ...body }) => (format ? body : null),
  tools: ({ tools, ...body }) => (tools ? body : null),
  stream_options: ({ stream_options: options, ...body }) => (options ? body : null),
};

/** What may have been refused, by the words of the refusal, the likeliest first. Empty: it is refused for another reason. */
function findSimplifications(refusal: ProviderRefusal): Simplification[] {
  const isChoosy = [400, 404, 405, 422, 500, 501].includes(refusal.status) && classify(refusal) !== "context-length";
  if (!isChoosy) return [];
  const refusalText = `${refusal.code ?? ""} ${refusal.message}`;
  const reasons: [Simplification, RegExp][] = [
    ["empty-thoughts", lacksThoughts],
    ["thoughts", refusesThoughts],
    ["texts-beside-calls", refusesTextsBesideCalls],
    ["response_format", refusesSchemas],
    ["tools", refusesTools],
    ["stream_options", refusesUsage],
  ];
  return reasons.filter(([, words]) => words.test(refusalText)).map(([simplification]) => simplification);
}

/** That it counts no tokens in a stream, or that it takes no field that it does not know. */
const refusesUsage =
  /stream_options|include_usage|(?:unknown|unrecognized|unexpected|unsupported|extra|additional)\b.{0,40}\b(?:fields?|parameters?|arguments?|inputs?|keys?|propert(?:y|ies))\b/i;

/** Groq takes no format beside tools, Qwen none while it thinks: both call it a mode. */
const refusesSchemas = /response_format|json_schema|schema|grammar|json[ _-]mode/i;

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

/** Mistral, Groq, Cerebras and Fireworks take no thoughts, or not under the name under which they came; templates take no text beside them. */
const refusesThoughts =
  /reasoning(?:_content|_details)?\b.{0,80}(?:is (?:unsupported|not supported)|extra inputs are not permitted)|extra inputs are not permitted.{0,80}reasoning|cannot pass both content and thinking/i;

/** Mistral's models of 2024, also where others serve them. */
const refusesTextsBesideCalls = /either content or tool_calls, but not both/i;

const thoughtFields = ["reasoning_content", "reasoning", "reasoning_details"];

/** Null: no message has thoughts. */
function withoutThoughts(body: ChatRequestBody): ChatRequestBody | null {
  if (!body.messages.some((message) => thoughtFields.some((field) => field in message))) return null;
  const messages = body.messages.map((message) => {
    const plain = { ...message };
    for (const field of thoughtFields) Reflect.deleteProperty(plain, field);
    return plain;
  });
  return { ...body, messages };
}

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

/** Null: no message has both. */
function withoutTextsBesideCalls(body: ChatRequestBody): ChatRequestBody | null {
  const messages = body.messages.map((message) =>
    message.role === "assistant" && message.tool_calls && message.content ? { ...message, content: null } : message,
  );
  return messages.every((message, index) => message === body.messages[index]) ? null : { ...body, messages };
}
