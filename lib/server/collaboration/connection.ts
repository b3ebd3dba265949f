import "server-only";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { lacksOf } from "@/lib/core/live/document-digest";
import {
  type ClientMessage,
  clientMessageSchema,
  closeCodes,
  type Peer,
  type ServerMessage,
} from "@/lib/core/live/messages";
import { AppError } from "../app-error";
import { mayInFlow, type Viewer } from "../auth/viewer";
import { toDatabaseError } from "../db";
import { logger } from "../log/logger";
import { asLoopWork } from "../metrics/loop-holds";
import { countDivergence } from "../metrics/metrics";
import type { LiveFlow } from "./live-flow";
import type { Lobby, Member } from "./lobby";
import {
  createMessageLimits,
  type LimitsOfPeople,
  maxPresenceBytes,
  maxQueuedBytes,
  maxTextBytes,
} from "./message-limits";
import { waitForMessageTurn } from "./message-turns";
import { assertCountable } from "./update-limits";
import type { UpdateRehearsal } from "./update-rehearsal";

/** A client that takes so little loses its connection: what is unsent stays in memory. */
const mostUnsentBytes = 4_000_000;
const pingEveryMs = 20_000;
/** Time in which a client that was refused may answer. */
const closeMs = 2_000;
const checkAccessEveryMs = 60_000;
/** How often an update is rehearsed while others change the document. */
const maxRehearsals = 10;
/** An editor that cannot be repaired is not sent its document again and again. */
const repairEveryMs = 5_000;

/** After these an editor connects again. */
const temporaryCodes: ReadonlySet<string> = new Set(["unavailable", "rate_limited"]);

/** What a connection needs of the WebSocket of a client. */
export interface ClientSocket {
  readonly bufferedAmount: number;
  on(event: "message", listener: (data: Buffer, isBinary: boolean) => void): unknown;
  on(event: "pong" | "error" | "close", listener: () => void): unknown;
  send(data: string | Uint8Array): void;
  ping(): void;
  close(code: number, reason: string): void;
  terminate(): void;
}

export interface ConnectionOptions {
  id: string;
  flow: { id: string; teamId: string };
  viewer: Viewer;
  limits: LimitsOfPeople;
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
  /** Updates sent since the editor joined. */
  #sentUpdates = 0;
  #queuedBytes = 0;
  readonly #limits = createMessageLimits();
  /** Resolves when a check of what the viewer may do is done. */
  #access: Promise<void> = Promise.resolve();
  #isCheckWaiting = false;
  #repairAfter = 0;
  #work: Promise<void> = Promise.resolve();
  readonly #timers: NodeJS.Timeout[];

  constructor(
    private readonly socket: ClientSocket,
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
      setInterval(() => this.checkAccess(), checkAccessMs).unref(),
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
    this.#sentUpdates++;
    this.#sendData(update);
  }

  #sendData(data: string | Uint8Array): void {
    if (this.socket.bufferedAmount > mostUnsentBytes) this.socket.terminate();
    else this.socket.send(data);
  }

  /** Messages are handled in their order, also those that wait for the document. */
  #receive(data: Buffer, isBinary: boolean): void {
    if (this.#isRefused) return;
    this.#queuedBytes += data.length;
    if (this.#queuedBytes > maxQueuedBytes || !this.#limits.message.take()) {
      this.#isRefused = true;
      this.socket.terminate();
      return;
    }
    this.#work = this.#work
      .then(() => this.#handleInTurn(data, isBinary))
      .catch((error: unknown) => this.#refuse(error))
      .finally(() => {
        this.#queuedBytes -= data.length;
      });
  }

  async #handleInTurn(data: Buffer, isBinary: boolean): Promise<void> {
    if (this.#isRefused) return;
    await waitForMessageTurn();
    await asLoopWork({ route: "live flow", id: this.options.flow.id }, () => this.#handle(data, isBinary));
  }

  #handle(data: Buffer, isBinary: boolean): Promise<void> | undefined {
    if (this.#isRefused) return undefined;
    if (isBinary) return this.#update(data);
    if (data.length > maxTextBytes) throw new AppError("too_large", "A message of an editor is too long.");
    return this.#perform(parseJsonAs(data.toString(), clientMessageSchema), data.length);
  }

  #refuse(error: unknown): void {
    const isTooLarge = error instanceof AppError && error.code === "too_large";
    if (!(error instanceof AppError)) logger.warn({ err: error }, "a message of an editor could not be handled");
    const isTemporary = !(error instanceof AppError) || temporaryCodes.has(error.code);
    const code = isTooLarge ? closeCodes.tooLarge : isTemporary ? 1011 : closeCodes.refused;
    // Until the client answers, which it need not, it neither receives nor changes anything.
    this.#isRefused = true;
    this.lobby.leave(this);
    this.socket.close(code, toCloseReason(error));
    setTimeout(() => this.socket.terminate(), closeMs).unref();
  }

  async #update(update: Buffer): Promise<void> {
    const { updates, updateBytes } = this.#personLimits;
    if (!this.#limits.update.take() || !updates.take() || !updateBytes.take(update.length))
      throw new AppError("rate_limited", "Too many changes a second.");
    const client = `live flows of ${this.#viewer.id}`;
    await assertCountable(update, client);
    let rehearsal: UpdateRehearsal | undefined;
    for (let count = 0; count <= maxRehearsals; count++) {
      // After each wait: it may be another document, which the editor may not change any more.
      const live = await this.#openForWriting();
      if (!this.isJoined || !live) return;
      const result = live.apply(update, this.#viewer, this, rehearsal);
      if (result === "lacking")
        return this.#repair(live, new Uint8Array([0]), "an update was a change of what the server lacks");
      if (result === "applied") return;
      if (!this.#personLimits.rehearsals.take()) throw new AppError("rate_limited", "Too many intricate changes.");
      rehearsal = await live.rehearse(update, client);
    }
    throw new AppError("unavailable", "Others change the flow too fast for this change. It is sent again.");
  }

  get #personLimits() {
    return this.options.limits.find(this.#viewer.id);
  }

  /** Null: the editor may not write, as far as it is known now. */
  async #openForWriting(): Promise<LiveFlow | null> {
    await this.lobby.openDocument();
    await this.#access;
    // It may have been closed meanwhile, when the last editor had left.
    const live = await this.lobby.openDocument();
    return this.peer.canWrite && !this.#isRefused ? live : null;
  }

  /** The editor gets what it lacks, and answers with what the server lacks. */
  async #repair(live: LiveFlow, known: Uint8Array, reason: string): Promise<void> {
    const now = performance.now();
    if (now < this.#repairAfter) return;
    this.#repairAfter = now + repairEveryMs;
    countDivergence("editor");
    logger.error({ flow: this.options.flow.id, reason }, "a live flow differed from an open editor");
    await this.#sendDocument(live, known);
  }

  async #perform(message: ClientMessage, bytes: number): Promise<void> {
    const isAllowed = this.#limits[message.type].take();
    if (message.type === "presence") {
      // The next one replaces what is left out.
      if (!isAllowed || bytes > maxPresenceBytes) return;
      this.peer = { ...this.peer, presence: message.presence };
      this.lobby.tellChange(this);
    } else if (message.type === "join") {
      if (!isAllowed) throw new AppError("rate_limited", "The flow was opened too often. Try again in a moment.");
      await this.#join(message);
    } else if (message.type === "save") {
      const saved = this.#save(message, isAllowed);
      if (message.isAwaited) await saved;
    } else if (message.type === "refuse-late") void this.#refuseLate(isAllowed);
    else if (isAllowed) await this.#compare(message);
  }

  async #join({ lineage, vector }: ClientMessage & { type: "join" }): Promise<void> {
    const live = await this.lobby.openDocument();
    await this.#sendDocument(live, lineage === live.lineage ? Buffer.from(vector, "base64") : new Uint8Array([0]));
  }

  async #sendDocument(live: LiveFlow, known: Uint8Array): Promise<void> {
    const revision = await live.readRevision();
    if (this.#isRefused) return;
    // The rest is one turn: no update is sent in between, and none is missed.
    const missing = live.readSince(known);
    this.isJoined = true;
    const { lineage, digest, contentDigest: content } = live;
    this.send({ type: "joined", lineage, vector: toBase64(live.vector), revision, digest, content });
    this.#sentUpdates = 0;
    this.sendUpdate(missing);
  }

  /** Nothing is on its way when the editor has received all that was sent: then both have the same document. */
  async #compare({ vector, received, ...digests }: ClientMessage & { type: "compare" }): Promise<void> {
    const live = await this.lobby.openDocument();
    if (!this.isJoined || received !== this.#sentUpdates) return;
    const known = Buffer.from(vector, "base64");
    // Without the right to write the server takes nothing that the editor may have changed.
    const differs = this.peer.canWrite ? isOther(live, digests) : lacksOf(known, live.vector);
    if (differs) await this.#repair(live, known, "their digests were not equal");
  }

  async #save({ number, summary, allowEmpty }: ClientMessage & { type: "save" }, isAllowed: boolean): Promise<void> {
    try {
      if (!isAllowed) throw new AppError("unavailable", "The flow was saved too often. Try again in a moment.");
      const live = await this.#openForWriting();
      if (!live) throw new AppError("not_found", "Your role does not allow changes of this flow.");
      const revision = await live.save(this.#viewer, { summary, allowEmpty });
      this.send({ type: "saved", number, revision });
    } catch (error) {
      const isExpected = error instanceof AppError;
      if (!isExpected) logger.error({ err: error, flow: this.options.flow.id }, "a live flow could not be saved");
      const message = isExpected ? error.message : (toDatabaseError(error)?.message ?? saveFailed);
      this.send({ type: "refused", number, code: isExpected ? error.code : "unavailable", message });
    }
  }

  async #refuseLate(isAllowed: boolean): Promise<void> {
    try {
      const live = isAllowed ? await this.#openForWriting() : null;
      await live?.refuseLate(this.#viewer);
      if (live) this.send({ type: "late-refused" });
    } catch (error) {
      // The editor waits for the answer in vain, and then goes on.
      logger.error({ err: error, flow: this.options.flow.id }, "late saves of a live flow could not be refused");
    }
  }

  #ping(): void {
    if (this.#isAlive) this.socket.ping();
    else this.socket.terminate();
    this.#isAlive = false;
  }

  /** What the editor sent from now on waits until it is known what it may do. */
  checkAccess(): void {
    if (this.#isCheckWaiting) return;
    this.#isCheckWaiting = true;
    this.#access = this.#access.then(() => {
      this.#isCheckWaiting = false;
      return this.#checkAccess();
    });
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

const saveFailed = "The flow could not be saved because of an error on the server. It is tried again.";

const isOther = (
  live: LiveFlow,
  { digest, content }: Pick<ClientMessage & { type: "compare" }, "digest" | "content">,
): boolean => digest !== live.digest || (content !== undefined && content !== live.contentDigest);

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

/** A close frame has room for 123 bytes. */
const toCloseReason = (error: unknown): string =>
  Buffer.from(error instanceof AppError ? error.message : "The message could not be handled.")
    .subarray(0, 120)
    .toString()
    .replace(/\uFFFD+$/, "");
