import { EventEmitter } from "node:events";
import type { ClientSocket } from "@/lib/server/collaboration/connection";
import type { Random } from "../time/random";
import type { Timeline } from "../time/timeline";
import type { SimulatedProcess } from "../world/simulated-process";

/** What the client of a connection receives. */
export interface SocketClient {
  onMessage(data: string | Uint8Array): void;
  onClosed(): void;
}

/**
 * A WebSocket between a client and a simulated process, as the process sees it. What one side sends arrives at the other
 * later, in order. A frozen process receives once it works again; when a process is killed the client notices soon.
 */
export class SimulatedSocket extends EventEmitter implements ClientSocket {
  readonly bufferedAmount = 0;
  #isClosed = false;
  readonly #lastArrival = { client: 0, server: 0 };

  constructor(
    private readonly process: SimulatedProcess,
    private readonly client: SocketClient,
    private readonly network: { timeline: Timeline; random: Random },
  ) {
    super();
    process.onKilled(() => this.#deliver("client", () => this.#closeClient()));
  }

  /** Each side receives in the order in which the other one sent. */
  #deliver(side: "client" | "server", act: () => void): void {
    const { timeline, random } = this.network;
    const delayMs = random.chance(0.05) ? random.between(5, 80) : random.between(0.2, 4);
    const at = Math.max(timeline.now + delayMs, this.#lastArrival[side] + 0.001);
    this.#lastArrival[side] = at;
    timeline.schedule(at - timeline.now, side === "client" ? null : this.process, act);
  }

  #closeClient(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.client.onClosed();
  }

  send(data: string | Uint8Array): void {
    this.#deliver("client", () => {
      if (!this.#isClosed) this.client.onMessage(data);
    });
  }

  ping(): void {
    this.#deliver("client", () => {
      if (!this.#isClosed) this.#deliver("server", () => this.emit("pong"));
    });
  }

  close(): void {
    this.#deliver("client", () => this.#closeClient());
    this.#deliver("server", () => this.emit("close"));
  }

  terminate(): void {
    this.close();
  }

  /** The client sends a message. */
  sendToServer(data: string | Uint8Array): void {
    if (this.#isClosed) return;
    const isBinary = typeof data !== "string";
    this.#deliver("server", () => this.emit("message", Buffer.from(data), isBinary));
  }

  /** The connection breaks on the client's side; the server learns of it a little later. */
  cut(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#deliver("server", () => this.emit("close"));
  }
}
