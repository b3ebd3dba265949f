import { AsyncLocalStorage } from "node:async_hooks";
import { createServer, type Server } from "node:http";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { seedDocument } from "@/lib/core/live/live-document";
import { localViewer } from "@/lib/server/auth/viewer";
import { findDocument, getHead, replaceDocument } from "@/lib/server/collaboration/document-rows";
import { LiveUpgrades } from "@/lib/server/collaboration/upgrade";
import { getDb } from "@/lib/server/db";
import { createFlow, saveFlow } from "@/lib/server/flows/commands";
import { getFlow } from "@/lib/server/flows/queries";
import { getRevision, listRevisions } from "@/lib/server/flows/revisions";
import { startServices } from "@/lib/server/start";
import { restoreCopies } from "../backup/restore-copies";
import { followEdits } from "../follow-edits";
import { startLive } from "../live/live-link";
import type { SaveWire } from "../save/autosave-driver";
import type { LocalCopy } from "../save/local-store";
import { watchConflicts } from "../save/resolve-conflict";
import { requestLater } from "../save/save-request";
import type { Session } from "../session";
import { openSession } from "./open-session";
import { toRevisionsFetch } from "./serve-revisions";

/** An open page with the real connection to the server. */
export interface Page {
  session: Session;
  /** Connects it with the others, where it is not yet. */
  connect(): void;
  /** Ends the connection; it may be connected again. */
  disconnect(): void;
  /** Lets it open connections for live editing, or not. */
  setLive(isReachable: boolean): void;
  /** Lets the answers to its saves arrive after some milliseconds, or not. */
  setAnswers(arrive: boolean, afterMs?: number): void;
  /** Gives it the network, or takes it. */
  setOnline(isOnline: boolean): void;
  /** What is sent from now on does not arrive, until the connection is lost or the returned function is called. */
  loseSent(): () => void;
  close(): void;
}

interface Browser {
  events: EventTarget;
  isOnline: boolean;
  /** Some networks refuse WebSockets. */
  reachesLive: boolean;
  losesSent: boolean;
  losesAnswers: boolean;
  answersAfterMs: number;
}

/** Whose code is running: each page has a browser of its own. */
const browsers = new AsyncLocalStorage<Browser>();
const browserNavigator = {
  get onLine(): boolean {
    return browsers.getStore()?.isOnline !== false;
  },
};
/** Nothing listens there. */
const noServer = "ws://127.0.0.1:1";

class BrowserSocket extends WebSocket {
  readonly #browser = browsers.getStore();

  constructor(url: string) {
    const { isOnline = true, reachesLive = true } = browsers.getStore() ?? {};
    super(isOnline && reachesLive ? url : noServer);
    // Browsers ignore it; the connection is closed.
    this.on("error", () => undefined);
  }

  override send(data: string | Uint8Array): void {
    if (this.#browser?.losesSent !== true) super.send(data);
  }
}

/** Saves by requests, as a page does that is alone. */
const toWire = (browser: Browser): SaveWire => ({
  async save({ flowId, snapshot, baseRevision }) {
    if (!browser.isOnline) return { type: "failed", message: "There is no network.", retryable: true, offline: true };
    const saved = await saveFlow(localViewer, flowId, { ...snapshot, baseRevision }).catch(() => null);
    await new Promise((resolve) => setTimeout(resolve, browser.answersAfterMs));
    if (browser.losesAnswers) return { type: "failed", message: "The server did not answer.", retryable: true };
    if (saved) return { type: "succeeded", revision: saved.revision };
    const { source, layout, revision } = await getFlow(localViewer, flowId);
    return { type: "conflicted", theirs: { source, layout, revision } };
  },
  current: async () => null,
  later: requestLater,
});

const answerFetch = toRevisionsFetch(
  (flowId, before) => listRevisions(localViewer, flowId, before),
  (flowId, id) => getRevision(localViewer, flowId, id),
);

/** Takes the network from a page that edits together with others, until it knows. */
export async function loseConnection(page: Page): Promise<void> {
  page.setOnline(false);
  await expect.poll(() => page.session.live.store.getState().status).toBe("reconnecting");
}

/** The server of live flows, as it runs in production, and pages that are connected to it. */
export class LiveServer {
  #server: Server | null = null;
  #upgrades = new LiveUpgrades();
  #port = 0;
  readonly #pages: Page[] = [];

  async start(): Promise<this> {
    await startServices();
    this.#upgrades = new LiveUpgrades();
    const upgrades = this.#upgrades;
    const server = createServer();
    server.on("upgrade", (request, socket, head) => void upgrades.answer(request, socket, head));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    const address = server.address();
    if (typeof address === "object" && address) this.#port = address.port;
    this.#server = server;
    return this;
  }

  async stop(): Promise<void> {
    await this.#upgrades.close();
    const server = this.#server;
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  }

  async end(): Promise<void> {
    for (const page of this.#pages.splice(0)) page.close();
    await this.stop();
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  createFlow = async (source: string): Promise<string> => (await createFlow(localViewer, { source })).id;

  getSource = async (id: string): Promise<string> => (await getFlow(localViewer, id)).source;

  /** The shared document begins with the newest version again, as one does that has become too large. */
  async beginAnew(id: string): Promise<void> {
    const db = await getDb();
    const [document, head] = [await findDocument(db, id), await getHead(db, id)];
    if (!document) throw new Error("The flow has no shared document.");
    await replaceDocument(db, document, { head, seed: seedDocument(head), reason: null, lastSeq: null });
  }

  /** Two pages that edit a new flow together. */
  async openTwo(source: string): Promise<{ id: string; ann: Page; bob: Page }> {
    const id = await this.createFlow(source);
    const [ann, bob] = [await this.open(id), await this.open(id)];
    for (const { session } of [ann, bob])
      await expect.poll(() => session.live.store.getState().status).toBe("together");
    return { id, ann, bob };
  }

  /** `copy`: what the browser kept of the last visit. `isConnected`: false, until the page is told to `connect`. */
  async open(id: string, copy: LocalCopy | null = null, { isConnected = true } = {}): Promise<Page> {
    const { source, layout, revision } = await getFlow(localViewer, id);
    const browser: Browser = {
      events: new EventTarget(),
      isOnline: true,
      reachesLive: true,
      losesSent: false,
      losesAnswers: false,
      answersAfterMs: 0,
    };
    const session = openSession(source, { id, layout, revision }, { wire: toWire(browser) });
    const location = { origin: this.url };
    Object.assign(globalThis, { window: browser.events, location, WebSocket: BrowserSocket, fetch: answerFetch });
    Object.defineProperty(globalThis, "navigator", { value: browserNavigator, configurable: true });
    const stopEditor = followEdits(session);
    const stopConflicts = watchConflicts(session);
    if (copy) restoreCopies(session, [copy]);
    const stops: (() => void)[] = [];
    const handlers = { onKnown: session.live.setKnown, onTry: session.live.setUnknown };
    const connect = (): void => void stops.push(browsers.run(browser, () => startLive(session, handlers)));
    if (isConnected) connect();
    const page: Page = {
      session,
      setOnline(isOnline) {
        browser.isOnline = isOnline;
        browser.losesSent = false;
        browsers.run(browser, () => browser.events.dispatchEvent(new Event(isOnline ? "online" : "offline")));
      },
      connect,
      disconnect: () => {
        for (const stop of stops.splice(0)) stop();
      },
      setAnswers(arrive, afterMs = 0) {
        browser.losesAnswers = !arrive;
        browser.answersAfterMs = afterMs;
      },
      setLive(isReachable) {
        browser.reachesLive = isReachable;
        if (isReachable) browsers.run(browser, () => browser.events.dispatchEvent(new Event("online")));
      },
      loseSent: () => {
        browser.losesSent = true;
        return () => {
          browser.losesSent = false;
        };
      },
      close: () => {
        for (const stop of stops) stop();
        stopEditor();
        stopConflicts();
        session.autosave.stop();
      },
    };
    this.#pages.push(page);
    return page;
  }
}
