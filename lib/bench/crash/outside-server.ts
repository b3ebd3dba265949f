import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const requestSchema = z.object({
  model: z.string(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown(), tool_calls: z.unknown().optional() })),
});
type ChatRequest = z.infer<typeof requestSchema>;

/** What a model answers: text, or calls of tools. */
type Answer = { text: string } | { calls: { name: string; arguments: object }[] };

/** How often something was requested, and how often it was done completely. */
export interface CallCount {
  begun: number;
  completed: number;
  /** Requests whose client left before the answer was complete. */
  aborted: number;
  refused: number;
}

/**
 * What runs reach outside of their process, on a loopback port: a model server with the chat completions stream, and the
 * effects of tools. Model calls are counted by their whole request, effects by their key. What a model answers depends on
 * the conversation alone.
 */
export class OutsideServer {
  readonly modelCalls = new Map<string, CallCount>();
  readonly effects = new Map<string, CallCount>();
  readonly #server = createServer((request, response) => void this.#answer(request, response).catch(() => {}));
  #origin = "";

  /** `pace`: a factor on the duration of answers; 0: they take no time. */
  constructor(private readonly pace: number) {}

  get origin(): string {
    return this.#origin;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("the server has no port");
    this.#origin = `http://127.0.0.1:${address.port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString("utf8");
    const url = request.url ?? "";
    if (url.startsWith("/effects/"))
      return this.#takeEffect(decodeURIComponent(url.slice("/effects/".length)), response);
    const chat = requestSchema.parse(JSON.parse(body));
    const count = countOf(this.modelCalls, body);
    const isRefused = chat.model === "flaky" && count.refused === 0;
    if (isRefused) {
      count.refused++;
      response.writeHead(503, { "retry-after-ms": "20" }).end('{"error":{"message":"overloaded"}}');
      return;
    }
    count.begun++;
    response.on("close", () => (response.writableFinished ? count.completed++ : count.aborted++));
    await this.#stream(chat, response, chat.model === "holder" && count.begun === 1);
  }

  async #takeEffect(key: string, response: ServerResponse): Promise<void> {
    const count = countOf(this.effects, key);
    count.begun++;
    response.on("close", () => (response.writableFinished ? count.completed++ : count.aborted++));
    await sleep(15 * this.pace);
    response.writeHead(200, { "content-type": "text/plain" }).end("done");
  }

  async #stream(chat: ChatRequest, response: ServerResponse, isHeld: boolean): Promise<void> {
    const messages = JSON.stringify(chat.messages).replaceAll(this.#origin, "");
    const digest = createHash("sha256").update(messages).digest("hex").slice(0, 12);
    const answer = decide(chat, digest, this.#origin);
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    const frames = toFrames(answer, digest);
    await sleep((10 + (Number.parseInt(digest.slice(0, 2), 16) % 40)) * this.pace);
    const pauses = isHeld ? 400 : 1;
    for (const frame of frames) {
      if (response.destroyed) return;
      response.write(`data: ${JSON.stringify(frame)}\n\n`);
      for (let pause = 0; pause < pauses && !response.destroyed; pause++) await sleep(6 * this.pace);
    }
    response.end("data: [DONE]\n\n");
  }
}

function countOf(counts: Map<string, CallCount>, key: string): CallCount {
  const count = counts.get(key) ?? { begun: 0, completed: 0, aborted: 0, refused: 0 };
  counts.set(key, count);
  return count;
}

function decide({ model, messages }: ChatRequest, digest: string, origin: string): Answer {
  const results = messages.filter(({ role }) => role === "tool").length;
  const call = (name: string, input: object) => ({ name, arguments: input });
  if (model === "noter" && results === 0) return { calls: [call("record_note", { text: digest })] };
  if (model === "fetcher" && results === 0)
    return { calls: [call("http_request", { url: `${origin}/effects/${digest}`, method: "PUT", body: digest })] };
  if (model === "lead" && results === 0)
    return { calls: ["one", "two"].map((task) => call("delegate_to_w", { task: `${task} ${digest}` })) };
  if (model === "boss" && results < 2) return { calls: [call("spawn_agent", { purpose: `do ${digest}`, agent: "w" })] };
  if (model === "boss" && results === 2) return { calls: [call("await_agents", {})] };
  return { text: `${model} ${digest}` };
}

function toFrames(answer: Answer, digest: string): object[] {
  const frame = (delta: object, finish: string | null = null) => ({
    id: `chatcmpl-${digest}`,
    object: "chat.completion.chunk",
    model: "served",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
  const end = { ...frame({}), choices: [], usage };
  if ("text" in answer) {
    const words = answer.text.match(/.{1,8}/g) ?? [];
    return [...words.map((content) => frame({ role: "assistant", content })), frame({}, "stop"), end];
  }
  const calls = answer.calls.map(({ name, arguments: input }, index) => ({
    index,
    id: `call_${digest}_${index}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [...calls.map((call) => frame({ role: "assistant", tool_calls: [call] })), frame({}, "tool_calls"), end];
}
