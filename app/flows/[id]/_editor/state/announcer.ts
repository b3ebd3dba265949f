import { createStore, type StoreApi } from "zustand/vanilla";

/** What is said to people who cannot see it. `count` tells apart the same words said twice. */
export interface Announcement {
  text: string;
  count: number;
}

export interface Announcer {
  store: StoreApi<Announcement>;
  /** Says something soon; what else is said until then is joined to it, and a topic is said by its last words only. */
  announce(topic: "step" | "selection" | "mode", text: string): void;
  /** Says how a run goes, at most once a second. */
  announceRun(text: string): void;
  stop(): void;
}

/** Keys that are held down change the selection more often than anybody could hear. */
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
