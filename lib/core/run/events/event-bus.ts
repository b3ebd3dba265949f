import type { RunEvent } from "./events";

type RunEventListener = (event: RunEvent) => void;

/**
 * Hands the events of runs to listeners that are not the consumer of the run: counters, logs, notices. A listener that
 * throws disturbs neither the run nor the others.
 */
export class EventBus {
  readonly #listeners = new Map<RunEvent["type"] | "*", Set<RunEventListener>>();

  /** `onError` gets what a listener throws. */
  constructor(private readonly onError: (error: unknown) => void = () => undefined) {}

  /** `*` listens to every event. Gives what ends it. */
  on(type: RunEvent["type"] | "*", listener: RunEventListener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => this.off(type, listener);
  }

  /** One that is not there is no error. */
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
