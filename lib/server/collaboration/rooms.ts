import "server-only";
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import type { Db } from "../db";
import type { LiveRooms } from "../flows/tell-rooms";
import { logger } from "../log/logger";
import { tellProcesses } from "../runs/store/tell-processes";
import { Connection, type ConnectionOptions } from "./connection";
import { listUnsavedDocuments } from "./document-rows";
import { LiveFlow } from "./live-flow";
import { Lobby } from "./lobby";
import { type PeerNews, readMessage, toMessages } from "./peer-list";

/** How often other processes are told who is connected here. */
const announceMs = 15_000;

/** The flows that are open in editors connected to this process. */
export class Rooms implements LiveRooms {
  readonly #process = randomUUID();
  readonly #lobbies = new Map<string, Lobby>();
  readonly #connections = new Set<Connection>();
  readonly #timer = setInterval(() => this.#tidy(), announceMs).unref();

  constructor(private readonly db: Db) {}

  connect(socket: WebSocket, options: Omit<ConnectionOptions, "id">): void {
    const { flow } = options;
    const lobby = this.#lobbies.get(flow.id) ?? this.#createLobby(flow);
    const connection = new Connection(socket, lobby, { ...options, id: randomUUID() });
    this.#connections.add(connection);
    socket.on("close", () => this.#connections.delete(connection));
  }

  /** How many editors have the flow open here. */
  countEditors(flowId: string): number {
    return this.#lobbies.get(flowId)?.size ?? 0;
  }

  #createLobby({ id: flowId, teamId }: ConnectionOptions["flow"]): Lobby {
    const lobby = new Lobby({ db: this.db, flowId, teamId, tell: (news) => this.#tell(news) });
    this.#lobbies.set(flowId, lobby);
    this.#tell({ flowId, peers: [], left: [], isRequest: true });
    return lobby;
  }

  #tell(news: PeerNews): void {
    for (const message of toMessages(news, this.#process)) tellProcesses("presence", message);
  }

  #tidy(): void {
    for (const [flowId, lobby] of this.#lobbies) {
      if (lobby.isEmpty) this.#lobbies.delete(flowId);
      else lobby.announce();
    }
  }

  onSaved(flowId: string): void {
    void this.#withDocument(flowId, (live) => live.refresh());
  }

  onUpdated(flowId: string): void {
    void this.#withDocument(flowId, (live) => live.follow());
  }

  onPresence(message: string): void {
    const received = readMessage(message);
    if (received && received.process !== this.#process) this.#lobbies.get(received.news.flowId)?.hear(received.news);
  }

  onMissed(): void {
    for (const [flowId, lobby] of this.#lobbies) {
      this.onSaved(flowId);
      lobby.announce();
      this.#tell({ flowId, peers: [], left: [], isRequest: true });
    }
  }

  async #withDocument(flowId: string, act: (live: LiveFlow) => Promise<unknown>): Promise<void> {
    try {
      const live = await this.#lobbies.get(flowId)?.document;
      if (live) await act(live);
    } catch (error) {
      // The next note, or the next save, does it again.
      logger.warn({ err: error, flow: flowId }, "a live flow could not follow a change made elsewhere");
    }
  }

  /** Saves documents whose last updates are in no revision, because a process was killed. Never rejects. */
  async saveUnsaved(): Promise<void> {
    try {
      for (const flowId of await listUnsavedDocuments(this.db)) {
        const flow = await this.db.flow.findUnique({ where: { id: flowId }, select: { teamId: true } });
        if (!flow) continue;
        const live = await LiveFlow.open(this.db, { flowId, teamId: flow.teamId, onUpdate: () => {} });
        await live.close();
        logger.info({ flow: flowId }, "what was edited together before the server ended was saved as a version");
      }
    } catch (error) {
      logger.error({ err: error }, "live flows of an earlier process could not be saved");
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.close();
    await Promise.all([...this.#lobbies.values()].map((lobby) => lobby.closeDocument()));
  }
}
