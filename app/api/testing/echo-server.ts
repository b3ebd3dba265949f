import type { IncomingMessage, ServerResponse } from "node:http";
import { chunk, type RawServer, sendJson, startRawServer } from "@/lib/server/models/testing/raw-server";

/**
 * A model server that speaks the protocols of all providers and repeats the key that it receives: `echo` in its streamed
 * answers, a few characters at a time, `refuse…` in refusals, `break` in an error in the middle of a stream.
 */
export async function startEchoServer(): Promise<RawServer> {
  const server = await startRawServer((response, body) => {
    const request = server.requests.at(-1);
    if (request) answer(request, response, body);
  });
  return server;
}

const keyOf = ({ headers }: IncomingMessage): string =>
  String(headers["x-api-key"] ?? headers["x-goog-api-key"] ?? headers.authorization?.replace("Bearer ", ""));

/** A key in the forms in which servers repeat what they received. */
const quote = (key: string): string =>
  [
    key,
    encodeURIComponent(key),
    Buffer.from(key).toString("base64"),
    Buffer.from(key).toString("base64url"),
    Buffer.from(`user:${key}`).toString("base64"),
    Buffer.from(`a user:${key}`).toString("base64"),
    Buffer.from(key).toString("hex"),
    JSON.stringify(JSON.stringify({ key })),
  ].join(" and ");

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  const { url = "" } = request;
  const key = keyOf(request);
  if (url.startsWith("/traces")) sendJson(response, 400, { message: "no traces" });
  else if (request.method === "GET") sendJson(response, 401, { error: { message: `No list for ${quote(key)}` } });
  else answerCall(url, response, body, key);
}

function answerCall(url: string, response: ServerResponse, body: string, key: string): void {
  const model = /"model":"([\w-]+)"/.exec(body)?.[1] ?? /models\/([\w-]+):/.exec(url)?.[1] ?? "";
  if (model.startsWith("refuse")) {
    refuse(response, model, key);
    return;
  }
  const texts = model === "echo" ? (quote(key).match(/.{1,3}/gs) ?? []) : ["All ", "is ", "well."];
  response.writeHead(200, { "content-type": "text/event-stream", "x-echo": encodeURIComponent(key) });
  const error =
    model === "break" ? { error: { message: `Broken: ${quote(key)}`, type: "api_error", code: 400 } } : null;
  for (const frame of toFrames(url, texts, error)) response.write(frame);
  response.end();
}

function refuse(response: ServerResponse, model: string, key: string): void {
  const headers = { "x-echo": key, "www-authenticate": `Bearer realm="${key}"` };
  // Long enough that a message which is cut is cut inside of the key.
  const padding = "x".repeat(model === "refuse-text" ? 470 : 985);
  response.writeHead(401, `Wrong key ${key}`, { ...headers, "content-type": "application/json" });
  const message = model === "refuse" ? quote(key) : `${padding}${quote(key)}`;
  response.end(model === "refuse-text" ? message : JSON.stringify({ error: { message, type: key, code: key } }));
}

const toLine = (data: object, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

function toFrames(url: string, texts: readonly string[], error: object | null): string[] {
  if (url.startsWith("/anthropic")) return toAnthropic(texts, error);
  if (url.endsWith("/responses")) return toResponses(texts, error);
  const last = error === null ? [] : [toLine(error)];
  if (url.startsWith("/google")) {
    const part = (text: string, finishReason?: string) =>
      toLine({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason }], modelVersion: "g" });
    return [...texts.map((text) => part(text)), ...last, ...(error ? [] : [part(".", "STOP")])];
  }
  const pieces = texts.flatMap((text) => [
    toLine(chunk({ reasoning_content: text })),
    toLine(chunk({ content: text })),
  ]);
  return [...pieces, ...last, ...(error ? [] : [toLine(chunk({}, "stop")), "data: [DONE]\n\n"])];
}

function toResponses(texts: readonly string[], error: object | null): string[] {
  const content = [{ type: "output_text", text: texts.join(""), annotations: [] }];
  const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
  const whole = { id: "resp_1", object: "response", status: "completed", model: "o", error: null, output: [item] };
  const deltas = texts.flatMap((delta) => [
    toLine({ type: "response.reasoning_summary_text.delta", output_index: 1, summary_index: 0, delta }),
    toLine({ type: "response.output_text.delta", output_index: 0, content_index: 0, delta }),
  ]);
  return [...deltas, toLine(error ?? { type: "response.completed", response: whole })];
}

function toAnthropic(texts: readonly string[], error: object | null): string[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = { id: "m", type: "message", role: "assistant", model: "a", content: [], stop_reason: null, usage };
  const frame = (type: string, more: object): string => toLine({ type, ...more }, type);
  const delta = (text: string): string =>
    frame("content_block_delta", { index: 0, delta: { type: "text_delta", text } });
  return [
    frame("message_start", { message }),
    frame("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    ...texts.map(delta),
    ...(error
      ? [frame("error", error)]
      : [
          frame("content_block_stop", { index: 0 }),
          frame("message_delta", { delta: { stop_reason: "end_turn" }, usage }),
          frame("message_stop", {}),
        ]),
  ];
}
