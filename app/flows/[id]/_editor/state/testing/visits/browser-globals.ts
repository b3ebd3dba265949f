import { type Tab, tabs } from "./browser";
import { tabFetch } from "./tab-fetch";
import { TabSocket } from "./tab-socket";
import { openStorage } from "./tab-storage";

function getTab(): Tab {
  const tab = tabs.getStore();
  if (!tab) throw new Error("No code of a tab is running.");
  return tab;
}

const events = (): EventTarget => tabs.getStore()?.events ?? new EventTarget();

const target = {
  addEventListener: (...args: Parameters<EventTarget["addEventListener"]>) => events().addEventListener(...args),
  removeEventListener: (...args: Parameters<EventTarget["removeEventListener"]>) =>
    events().removeEventListener(...args),
  dispatchEvent: (event: Event) => events().dispatchEvent(event),
};

const locks = {
  async request(name: string, work: () => Promise<unknown>): Promise<unknown> {
    const tab = getTab();
    const { locks: held, queues } = tab.browser;
    const death = new Promise((resolve) => tab.events.addEventListener("dead", resolve));
    const hold = async (): Promise<unknown> => {
      held.set(name, tab);
      try {
        return await Promise.race([work(), death]);
      } finally {
        held.delete(name);
      }
    };
    const request = (queues.get(name) ?? Promise.resolve()).then(hold);
    queues.set(
      name,
      request.catch(() => undefined),
    );
    return request;
  },
  query: async () => ({ held: [...getTab().browser.locks.keys()].map((name) => ({ name })) }),
};

const navigator = {
  get onLine(): boolean {
    return tabs.getStore()?.isOnline !== false;
  },
  locks,
};

/** Makes the globals of a browser those of the tab whose code is running. */
export function installGlobals(origin: string): void {
  Object.assign(globalThis, {
    window: target,
    document: { ...target, visibilityState: "visible", documentElement: { dataset: {} } },
    location: { origin },
    WebSocket: TabSocket,
    fetch: tabFetch,
    localStorage: { getItem: () => null, setItem() {}, removeItem() {} },
    requestAnimationFrame: (act: () => void) => setTimeout(act, 4),
    requestIdleCallback: (act: () => void) => setTimeout(act, 5),
    cancelIdleCallback: clearTimeout,
    reportError: (error: unknown) => console.error("reported error:", error),
  });
  Object.defineProperties(globalThis, {
    navigator: { value: navigator, configurable: true },
    indexedDB: { get: () => openStorage(getTab()), configurable: true },
  });
}
