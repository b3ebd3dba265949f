import { createStore, type StoreApi } from "zustand/vanilla";

/** `count` makes repeated announcements distinct. */
export interface Announcement {
  text: string;
  count: number;
}

export interface Announcer {
  store: StoreApi<Announcement>;
  /** Debounced; announcements of other topics within the delay are joined, those of the same topic replaced. */
  announce(topic: "step" | "selection" | "mode", text: string): void;
  announceRun(text: string): void;
  stop(): void;
}

/** Held keys change the selection faster than a screen reader can speak. */
const soonMs = 120;
const runApartMs = 1000;

export function createAnnouncer(): Announcer {
  const store = createStore<Announcement>(() => ({ text: "", count: 0 }));
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runTimer: ReturnType<typeof setTimeout> | undefined;
  let runAt = 0;
  const speak = (text: string): void => store.setState(({ count }) => ({ text, count: count + 1 }));
  return {
    store,
    announce(topic, text) {
      waiting.set(topic, text);
      clearTimeout(timer);
      timer = setTimeout(() => {
        speak([...waiting.values()].join(". "));
        waiting.clear();
      }, soonMs);
    },
    announceRun(text) {
      clearTimeout(runTimer);
      runTimer = setTimeout(
        () => {
          runAt = Date.now();
          speak(text);
        },
        Math.max(0, runAt + runApartMs - Date.now()),
      );
    },
    stop() {
      clearTimeout(timer);
      clearTimeout(runTimer);
    },
  };
}
