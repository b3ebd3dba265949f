import "server-only";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import { chunk, type RawServer, startRawServer } from "../../models/testing/raw-server";

/** A model server on loopback whose answers begin and never end. */
export class EndlessModel {
  readonly #answers: ServerResponse[] = [];
  #server: RawServer | null = null;
  /** Connections that its clients closed. */
  closed = 0;

  /** Must be called before anything reads the environment. */
  async start(): Promise<void> {
    this.#server = await startRawServer((response) => {
      this.#answers.push(response);
      response.on("close", () => this.closed++);
      response.writeHead(200, { "content-type": "text/event-stream" });
      this.#send(response, "Once upon");
    });
    vi.stubEnv("COMPATIBLE_BASE_URL", `${this.#server.url}/v1`);
  }

  /** Connections that are open. */
  get open(): number {
    return this.#answers.length - this.closed;
  }

  /** Sends more text to all clients. */
  sendText(text: string): void {
    for (const response of this.#answers) if (!response.destroyed) this.#send(response, text);
  }

  /** Resolves with the milliseconds until the clients have closed this many connections in all. */
  async waitUntilClosed(count: number): Promise<number> {
    const from = performance.now();
    while (this.closed < count) await sleep(2);
    return performance.now() - from;
  }

  async stop(): Promise<void> {
    vi.unstubAllEnvs();
    await this.#server?.close();
  }

  #send(response: ServerResponse, content: string): void {
    response.write(`data: ${JSON.stringify(chunk({ content }))}\n\n`);
  }
}
