import { createStore } from "zustand/vanilla";

/** Held keys change the selection faster than a screen reader can speak. */
const soonMs = 120;
const runApartMs = 1000;

export type Announcer = ReturnType<typeof createAnnouncer>;

export function createAnnouncer() {
  /** `count` makes repeated announcements distinct. */
  const store = createStore(() => ({ text: "", count: 0 }));
  const waiting = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let runTimer: ReturnType<typeof setTimeout> | undefined;
  let runAt = 0;
  const speak = (text: string): void => store.setState(({ count }) => ({ text, count: count + 1 }));
  return {
    store,
    /** Debounced; announcements of other topics within the delay are joined, those of the same topic replaced. */
    announce(topic: "step" | "selection" | "mode" | "problems", text: string): void {
      waiting.set(topic, text);
      clearTimeout(timer);
      timer = setTimeout(() => {
        speak([...waiting.values()].join(". "));
        waiting.clear();
      }, soonMs);
    },
    announceRun(text: string): void {
      clearTimeout(runTimer);
      runTimer = setTimeout(
        () => {
          runAt = Date.now();
          speak(text);
        },
        Math.max(0, runAt + runApartMs - Date.now()),
      );
    },
    stop(): void {
      clearTimeout(timer);
      clearTimeout(runTimer);
    },
  };
}
