import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { mayInFlow } from "../auth/viewer";
import type { Db } from "../db";
import type { LiveRooms } from "../flows/tell-rooms";
import { logger } from "../log/logger";
import { tellProcesses } from "../runs/store/tell-processes";
import { type ClientSocket, Connection, type ConnectionOptions } from "./connection";
import { listUnsavedDocuments } from "./document-rows";
import { LiveFlow } from "./live-flow";
import { Lobby } from "./lobby";
import { LimitsOfPeople } from "./message-limits";
import { type PeerNews, readMessage, toMessages } from "./peer-list";

/** Open editors of one flow in one process, and those of them that only read: no reader takes the place of an editor. */
const [maxEditors, maxReaders] = [200, 100];
/** Open editors of one person in one process: of one flow, and of all. */
const [maxOfPersonInFlow, maxOfPerson] = [20, 60];
/** How often other processes are told who is connected here. */
const announceMs = 15_000;

/** The flows that are open in editors connected to this process. */
export class Rooms implements LiveRooms {
  readonly #process = randomUUID();
  readonly #lobbies = new Map<string, Lobby>();
  readonly #connections = new Set<Connection>();
  readonly #limits = new LimitsOfPeople();
  readonly #timer = setInterval(() => this.#tidy(), announceMs).unref();

  constructor(private readonly db: Db) {}

  connect(socket: ClientSocket, options: Omit<ConnectionOptions, "id" | "limits">): void {
    const { flow } = options;
    const lobby = this.#lobbies.get(flow.id) ?? this.#createLobby(flow);
    const connection = new Connection(socket, lobby, { ...options, limits: this.#limits, id: randomUUID() });
    this.#connections.add(connection);
    socket.on("close", () => this.#connections.delete(connection));
  }

  /** Throws AppError `rate_limited` where the flow, or the person, has too many editors open here. */
  assertPlace({ flow, viewer }: Pick<ConnectionOptions, "flow" | "viewer">): void {
    const own = [...this.#connections].filter(({ peer }) => peer.userId === viewer.id).length;
    const here = this.#lobbies.get(flow.id)?.listMembers() ?? [];
    const ownHere = here.filter(({ peer }) => peer.userId === viewer.id).length;
    if (ownHere >= maxOfPersonInFlow || own >= maxOfPerson)
      throw new AppError("rate_limited", "You have too many windows with flows open. Close some of them.");
    const isReader = !mayInFlow(viewer, flow, "flows:write");
    const readers = here.filter(({ peer }) => !peer.canWrite).length;
    if (here.length >= maxEditors || (isReader && readers >= maxReaders))
      throw new AppError("rate_limited", "Too many people have this flow open. Try again later.");
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
    this.#limits.tidy();
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

  onAccessChanged(): void {
    for (const connection of this.#connections) connection.checkAccess();
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
    this.onAccessChanged();
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
      for (const flowId of await listUnsavedDocuments(this.db)) await this.#saveUnsavedFlow(flowId);
    } catch (error) {
      logger.error({ err: error }, "live flows of an earlier process could not be saved");
    }
  }

  /** Never rejects: one document that cannot be opened must not keep the others from being saved. */
  async #saveUnsavedFlow(flowId: string): Promise<void> {
    try {
      const flow = await this.db.flow.findUnique({ where: { id: flowId }, select: { teamId: true } });
      if (!flow) return;
      const options = { flowId, teamId: flow.teamId, onUpdate: () => {}, isAtStart: true };
      const live = await LiveFlow.open(this.db, options);
      await live.close();
      logger.info({ flow: flowId }, "what was edited together before the server ended was saved as a version");
    } catch (error) {
      logger.error({ err: error, flow: flowId }, "a live flow of an earlier process could not be saved");
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const connection of this.#connections) connection.close();
    await Promise.all([...this.#lobbies.values()].map((lobby) => lobby.closeDocument()));
  }
}
