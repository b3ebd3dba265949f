import { AsyncLocalStorage } from "node:async_hooks";
import { IDBFactory } from "fake-indexeddb";

/** What the tabs of one browser share. */
export interface Browser {
  storage: IDBFactory;
  /** The holders of its locks. */
  locks: Map<string, Tab>;
  /** The newest request for each lock. */
  queues: Map<string, Promise<unknown>>;
  /** Requests that the server may still answer, those of closed tabs included. */
  requests: Set<Promise<unknown>>;
}

/** What happens to a save by request. */
export interface SaveFault {
  /** The server receives it so much later. */
  storeAfterMs?: number;
  /** The server never receives it. */
  isLost?: boolean;
  answerAfterMs?: number;
  /** The page sees an error after so long, whatever the server does. */
  giveUpAfterMs?: number;
}

/** A page of the editor, as its browser sees it. */
export interface Tab {
  name: string;
  browser: Browser;
  events: EventTarget;
  isOnline: boolean;
  /** A tab that is gone: its code sends and stores nothing any more. */
  isDead: boolean;
  /** False: its network refuses WebSockets. */
  reachesLive: boolean;
  /** What its sockets send arrives nowhere. */
  losesSent: boolean;
  latencyMs: number;
  /** Its connection dies after so many messages; null: it does not. */
  dieAfter: number | null;
  /** Of the next saves, one each. */
  saveFaults: SaveFault[];
  /** Every request but saves fails. */
  readsFail: boolean;
  sockets: Set<{ terminate(): void }>;
  log(text: string): void;
}

/** The faults that a tab begins with. */
export type TabFaults = Partial<Pick<Tab, "isOnline" | "reachesLive" | "dieAfter">>;

/** The tab whose code is running. */
export const tabs = new AsyncLocalStorage<Tab>();

export const createBrowser = (): Browser => ({
  storage: new IDBFactory(),
  locks: new Map(),
  queues: new Map(),
  requests: new Set(),
});

export const createTab = (identity: Pick<Tab, "name" | "browser" | "log">, faults: TabFaults): Tab => ({
  events: new EventTarget(),
  isOnline: true,
  isDead: false,
  reachesLive: true,
  losesSent: false,
  latencyMs: 0,
  dieAfter: null,
  saveFaults: [],
  readsFail: false,
  sockets: new Set(),
  ...identity,
  ...faults,
});

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
