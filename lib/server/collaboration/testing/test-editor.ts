import { once } from "node:events";
import { WebSocket } from "ws";
import * as Y from "yjs";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { toMinimalChange } from "@/lib/core/flow/text-change";
import { toDigest } from "@/lib/core/live/document-digest";
import { readText, writeText } from "@/lib/core/live/live-document";
import { type ClientMessage, type Peer, type ServerMessage, serverMessageSchema } from "@/lib/core/live/messages";

/** An editor without a page: connects to a flow, joins its document, types, and records what it receives. */
export class TestEditor {
  doc = new Y.Doc();
  readonly messages: ServerMessage[] = [];
  readonly peers = new Map<string, Peer>();
  /** The code and reason with which the server closed the connection. */
  closed: { code: number; reason: string } | null = null;
  #socket: WebSocket | null = null;
  #lineage: string | null = null;
  #number = 0;
  #received = 0;

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string> = {},
  ) {
    this.doc.on("update", (update: Uint8Array, origin: unknown) => {
      if (origin !== "server" && this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(update);
    });
  }

  /** Rejects with the status of a refused request. */
  async connect(): Promise<this> {
    const socket = new WebSocket(this.url, { headers: this.headers });
    this.#socket = socket;
    this.closed = null;
    this.peers.clear();
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.#takeUpdate(data);
      else this.#take(parseJsonAs(data.toString(), serverMessageSchema));
    });
    socket.on("close", (code, reason) => {
      this.closed ??= { code, reason: reason.toString() };
    });
    const refused = once(socket, "unexpected-response").then(([, response]) => {
      throw new Error(String(response.statusCode));
    });
    const failed = new Promise<never>((_, reject) => socket.on("error", reject));
    await Promise.race([once(socket, "open"), refused, failed]);
    return this;
  }

  #takeUpdate(update: Buffer): void {
    this.#received++;
    Y.applyUpdate(this.doc, update, "server");
  }

  #take(message: ServerMessage): void {
    this.messages.push(message);
    if (message.type === "welcome") for (const peer of message.peers) this.peers.set(peer.id, peer);
    if (message.type === "peers") {
      for (const peer of message.changed) this.peers.set(peer.id, peer);
      for (const id of message.left) this.peers.delete(id);
    }
    if (message.type === "joined") {
      if (this.#lineage !== null && this.#lineage !== message.lineage) throw new Error("another lineage");
      this.#lineage = message.lineage;
      this.#received = 0;
      // What was typed while the connection was lost.
      const missing = Y.encodeStateAsUpdate(this.doc, Buffer.from(message.vector, "base64"));
      this.#socket?.send(missing);
    }
  }

  send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  sendText(text: string): void {
    this.#socket?.send(text);
  }

  sendBytes(bytes: Uint8Array): void {
    this.#socket?.send(bytes);
  }

  join(): void {
    const vector = Buffer.from(Y.encodeStateVector(this.doc)).toString("base64");
    this.send({ type: "join", lineage: this.#lineage, vector });
  }

  /** As editors do from time to time. */
  compare(): void {
    const vector = Buffer.from(Y.encodeStateVector(this.doc)).toString("base64");
    this.send({ type: "compare", vector, digest: toDigest(this.doc), received: this.#received });
  }

  save({ isAwaited = false } = {}): number {
    this.send({ type: "save", number: ++this.#number, summary: "", allowEmpty: false, isAwaited });
    return this.#number;
  }

  get text(): string {
    return readText(this.doc);
  }

  type(next: (text: string) => string): void {
    const { text } = this;
    const change = toMinimalChange(text, next(text));
    if (change) this.doc.transact(() => writeText(this.doc, text, [change]));
  }

  find<Type extends ServerMessage["type"]>(type: Type): (ServerMessage & { type: Type }) | undefined {
    return this.messages.findLast((message): message is ServerMessage & { type: Type } => message.type === type);
  }

  /** Cuts the connection without a word, as a lost network does. */
  cut(): void {
    this.#socket?.terminate();
  }

  /** Takes nothing from the network any more. */
  pause(): void {
    this.#socket?.pause();
  }
}
