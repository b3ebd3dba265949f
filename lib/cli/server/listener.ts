import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** The HTTP server of this process: it holds its port from the start and refuses requests until it has a handler. */
export class ServerListener {
  readonly server: Server;
  #handle: RequestListener = refuseForNow;

  constructor() {
    this.server = createServer((request, response) => this.#handle(request, response));
    // Longer than the 60 s for which proxies usually keep their connections: a request must not meet one that closes.
    this.server.keepAliveTimeout = 65_000;
  }

  /** Takes the port; 0 takes a free one. Rejects with the reason when it cannot be taken. */
  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(port, host, () => {
        this.server.off("error", reject);
        resolve();
      });
    });
  }

  get port(): number {
    const address = this.server.address();
    return isTcpAddress(address) ? address.port : 0;
  }

  handleWith(handle: RequestListener): void {
    this.#handle = handle;
  }

  /** Takes no new connections and closes idle ones. Resolves once the last one is closed. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }

  /** Ends responses that are still being sent. */
  cutConnections(): void {
    this.server.closeAllConnections();
  }
}

const isTcpAddress = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

const refuseForNow: RequestListener = (_request, response) => {
  response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8", "Retry-After": "2", Connection: "close" });
  response.end("Swarmloom is starting. Try again in a moment.\n");
};
