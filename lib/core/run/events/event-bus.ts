import type { RunEvent } from "./events";

type RunEventListener = (event: RunEvent) => void;

/**
 * Passes the events of runs to listeners besides the consumer of the run: counters, logs, notices. A listener that throws
 * affects neither the run nor the other listeners.
 */
export class EventBus {
  readonly #listeners = new Map<RunEvent["type"] | "*", Set<RunEventListener>>();

  /** `onError` receives what a listener throws. */
  constructor(private readonly onError: (error: unknown) => void = () => undefined) {}

  /** `*` listens to every event. Returns the function that removes the listener. */
  on(type: RunEvent["type"] | "*", listener: RunEventListener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => this.off(type, listener);
  }

  /** An unknown listener is no error. */
  off(type: RunEvent["type"] | "*", listener: RunEventListener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  clear(): void {
    this.#listeners.clear();
  }

  emit(event: RunEvent): void {
    for (const type of [event.type, "*"] as const)
      for (const listener of this.#listeners.get(type) ?? []) {
        try {
          listener(event);
        } catch (error) {
          this.onError(error);
        }
      }
  }
}
