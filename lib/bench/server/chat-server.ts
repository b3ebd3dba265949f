import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** Pieces of a streamed answer, and the milliseconds between two of them. */
export const streamed = { pieces: 400, everyMs: 10 };

/** A model server on a loopback port. `instant` answers at once, `slow` after a minute, `stream` piece by piece. */
export async function startChatServer(): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const model = /"model":"(\w+)"/.exec(body)?.[1];
    const send = (delta: object, finish: string | null = null): void => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      response.write(`data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", model, choices })}\n\n`);
    };
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (model === "slow") await sleep(60_000, undefined, { ref: false });
    for (let piece = 1; model === "stream" && piece < streamed.pieces && !response.destroyed; piece++) {
      send({ role: "assistant", content: "word " });
      await sleep(streamed.everyMs);
    }
    send({ role: "assistant", content: "An answer." });
    send({}, "stop");
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the server has no port");
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
