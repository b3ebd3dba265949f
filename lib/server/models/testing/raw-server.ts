import "server-only";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject } from "../json";

export interface RawServer {
  url: string;
  /** Bodies as they arrived, byte for byte. */
  bodies: string[];
  requests: IncomingMessage[];
  close(): Promise<void>;
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

/** A server on a free loopback port that answers as a test scripts it, for the mistakes of model servers. */
export async function startRawServer(
  answer: (response: ServerResponse, body: string, nth: number) => void,
): Promise<RawServer> {
  const bodies: string[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      bodies.push(body);
      requests.push(request);
      answer(response, body, bodies.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (!isAddress(address)) throw new Error("the test server has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers with these frames of a Chat Completions stream, then ends. Texts go out as they are, the rest as `data:` lines. */
export function sendStream(response: ServerResponse, frames: readonly unknown[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const frame of frames) response.write(typeof frame === "string" ? frame : `data: ${JSON.stringify(frame)}\n\n`);
  response.end();
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
};

/** One chunk with this delta. */
export const chunk = (delta: object, finish: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  model: "served-model",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

type RawAnswer = Parameters<typeof startRawServer>[0];

/** The same server without a Responses API. */
export const withoutResponses =
  (answer: RawAnswer): RawAnswer =>
  (response, body, nth) =>
    response.req.url?.endsWith("/responses")
      ? sendJson(response, 404, { error: { message: "Not Found" } })
      : answer(response, body, nth);

/** A message of OpenAI's Responses API. */
export const responseMessage = (text: string, extra: object = {}) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [] }],
  ...extra,
});

/** Streams an answer of OpenAI's Responses API that consists of these items; `extra`: further fields of it. */
export function sendResponse(response: ServerResponse, output: readonly JsonObject[], extra: object = {}): void {
  const whole = { id: "resp_1", object: "response", status: "completed", model: "served-model", error: null, ...extra };
  const events = [
    { type: "response.created", response: { ...whole, status: "in_progress", output: [] } },
    ...output.flatMap((item, place) => toItemEvents(item, place)),
    { type: `response.${whole.status}`, response: { ...whole, output } },
  ];
  sendStream(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
}

function toItemEvents(item: JsonObject, place: number): { type: string }[] {
  const at = { output_index: place };
  const texts = Array.isArray(item.content) ? item.content.filter(isObject) : [];
  const deltas = texts.map(({ text, refusal }) =>
    refusal === undefined
      ? { type: "response.output_text.delta", ...at, delta: text }
      : { type: "response.refusal.delta", ...at, delta: refusal },
  );
  return [
    { type: "response.output_item.added", ...at },
    ...(item.type === "message" ? deltas : []),
    { type: "response.output_item.done", ...at, ...{ item } },
  ];
}
