import "server-only";
import type { WebSocket } from "ws";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import {
  type ClientMessage,
  clientMessageSchema,
  closeCodes,
  type Peer,
  type ServerMessage,
} from "@/lib/core/live/messages";
import { AppError } from "../app-error";
import { mayInFlow, type Viewer } from "../auth/viewer";
import { toReason } from "../db";
import { logger } from "../log/logger";
import type { LiveFlow } from "./live-flow";
import type { Lobby, Member } from "./lobby";

/** A client that takes so little loses its connection: what is unsent stays in memory. */
const mostUnsentBytes = 4_000_000;
const pingEveryMs = 20_000;
const checkAccessEveryMs = 60_000;

export interface ConnectionOptions {
  id: string;
  flow: { id: string; teamId: string };
  viewer: Viewer;
  /** The viewer as it is now. Throws AppError when it may not see the flow any more. */
  findViewer(): Promise<Viewer>;
  checkAccessMs?: number;
}

/** One editor, connected by a WebSocket. What it may do is read anew every minute; without the right to write its updates are dropped. */
export class Connection implements Member {
  peer: Peer;
  isJoined = false;
  #viewer: Viewer;
  #isAlive = true;
  #isRefused = false;
  #work: Promise<void> = Promise.resolve();
  readonly #timers: NodeJS.Timeout[];

  constructor(
    private readonly socket: WebSocket,
    private readonly lobby: Lobby,
    private readonly options: ConnectionOptions,
  ) {
    const { id, viewer, flow, checkAccessMs = checkAccessEveryMs } = options;
    this.#viewer = viewer;
    const canWrite = mayInFlow(viewer, flow, "flows:write");
    const color = lobby.chooseColor();
    this.peer = { id, userId: viewer.id, name: viewer.name, color, canWrite, presence: null };
    this.#timers = [
      setInterval(() => this.#ping(), pingEveryMs).unref(),
      setInterval(() => void this.#checkAccess(), checkAccessMs).unref(),
    ];
    socket.on("message", (data: Buffer, isBinary) => this.#receive(data, isBinary));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      for (const timer of this.#timers) clearInterval(timer);
      lobby.leave(this);
    });
    lobby.enter(this);
  }

  send(message: ServerMessage): void {
    this.#sendData(JSON.stringify(message));
  }

  sendUpdate(update: Uint8Array): void {
    this.#sendData(update);
  }

  #sendData(data: string | Uint8Array): void {
    if (this.socket.bufferedAmount > mostUnsentBytes) this.socket.terminate();
    else this.socket.send(data);
  }

  /** Messages are handled in their order, also those that wait for the document. */
  #receive(data: Buffer, isBinary: boolean): void {
    this.#work = this.#work
      .then(() =>
        this.#isRefused
          ? undefined
          : isBinary
            ? this.#update(data)
            : this.#perform(parseJsonAs(data.toString(), clientMessageSchema)),
      )
      .catch((error: unknown) => this.#refuse(error));
  }

  #refuse(error: unknown): void {
    const isTooLarge = error instanceof AppError && error.code === "too_large";
    if (!(error instanceof AppError)) logger.warn({ err: error }, "a message of an editor could not be handled");
    const code = isTooLarge ? closeCodes.tooLarge : error instanceof AppError ? closeCodes.refused : 1011;
    // Until the client answers, which it need not, it neither receives nor changes anything.
    this.#isRefused = true;
    this.lobby.leave(this);
    this.socket.close(code, toCloseReason(error));
  }

  async #update(update: Buffer): Promise<void> {
    const live = await this.lobby.openDocument();
    if (this.isJoined && this.peer.canWrite && !this.#isRefused) live.apply(update, this.#viewer, this);
  }

  async #perform(message: ClientMessage): Promise<void> {
    if (message.type === "presence") {
      this.peer = { ...this.peer, presence: message.presence };
      this.lobby.tellChange(this);
    } else if (message.type === "join") await this.#join(message);
    else void this.#save(message);
  }

  async #join({ lineage, vector }: ClientMessage & { type: "join" }): Promise<void> {
    const live = await this.lobby.openDocument();
    const revision = await live.readRevision();
    if (this.#isRefused) return;
    // What follows is one turn: no update is sent in between, and none is missed.
    const known = lineage === live.lineage ? Buffer.from(vector, "base64") : new Uint8Array([0]);
    const missing = live.readSince(known);
    this.isJoined = true;
    this.send({ type: "joined", lineage: live.lineage, vector: toBase64(live.vector), revision });
    this.sendUpdate(missing);
  }

  async #save({ number, summary, allowEmpty }: ClientMessage & { type: "save" }): Promise<void> {
    try {
      if (!this.peer.canWrite) throw new AppError("not_found", "Your role does not allow changes of this flow.");
      const live: LiveFlow = await this.lobby.openDocument();
      const revision = await live.save(this.#viewer, { summary, allowEmpty });
      this.send({ type: "saved", number, revision });
    } catch (error) {
      const code = error instanceof AppError ? error.code : "unavailable";
      this.send({ type: "refused", number, code, message: toReason(error) });
    }
  }

  #ping(): void {
    if (this.#isAlive) this.socket.ping();
    else this.socket.terminate();
    this.#isAlive = false;
  }

  async #checkAccess(): Promise<void> {
    try {
      this.#viewer = await this.options.findViewer();
      const canWrite = mayInFlow(this.#viewer, this.options.flow, "flows:write");
      if (canWrite === this.peer.canWrite) return;
      this.peer = { ...this.peer, canWrite };
      this.send({ type: "access", canWrite });
      this.lobby.tellChange(this);
    } catch (error) {
      // A database that does not answer changes no one's role.
      if (error instanceof AppError) this.#refuse(error);
    }
  }

  close(): void {
    this.socket.close(1012, "The server is restarting.");
    this.socket.terminate();
  }
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A close frame has room for 123 bytes. */
const toCloseReason = (error: unknown): string =>
  Buffer.from(error instanceof AppError ? error.message : "The message could not be handled.")
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD+$/, "");
