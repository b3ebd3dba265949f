import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { Duplex } from "node:stream";

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** The HTTP server of this process: it holds its port from the start and refuses requests until it has a handler. */
export class ServerListener {
  readonly server: Server;
  handle: RequestListener = refuseForNow;
  upgrade: UpgradeListener = (_request, socket) => socket.destroy();

  constructor() {
    this.server = createServer((request, response) => this.handle(request, response));
    this.server.on("upgrade", (request, socket, head) => this.upgrade(request, socket, head));
    // Longer than the 60 s for which proxies usually keep their connections: a request must not meet one that closes.
    this.server.keepAliveTimeout = 65_000;
  }

  /** Takes the port; 0 takes a free one. Rejects with the reason when it cannot be taken. */
  async listen(host: string, port: number): Promise<void> {
    this.server.listen(port, host);
    await once(this.server, "listening");
  }

  get port(): number {
    const address = this.server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  }

  /** Takes no new connections and closes idle ones. Resolves once the last one is closed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

const refuseForNow: RequestListener = (_request, response) => {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "2", Connection: "close" });
  response.end("Swarmloom is starting. Try again in a moment.\n");
};
