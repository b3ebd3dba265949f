import type { RunEvent } from "./events";

/** An event of the application: its type is none of a run's. */
export interface OwnEvent {
  type: string;
}

type EventOf<Event extends OwnEvent, Type> = Type extends "*" ? Event : Extract<Event, { type: Type }>;

/**
 * Passes the events of runs, and those that the application emits itself (`Own`), to listeners besides the consumer of the run:
 * counters, logs, notices. A listener that throws, or whose promise is rejected, affects neither the run nor the other listeners.
 */
export class EventBus<Own extends OwnEvent = never> {
  readonly #listeners = new Map<string, Set<(event: never) => unknown>>();

  /** `onError` receives what a listener throws, and the reason why its promise is rejected. */
  constructor(private readonly onError: (error: unknown) => void = () => undefined) {}

  /** `*` listens to every event. Returns the function that removes the listener. */
  on<Type extends (RunEvent | Own)["type"] | "*">(
    type: Type,
    listener: (event: EventOf<RunEvent | Own, Type>) => unknown,
  ): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(listener));
    return () => this.off(type, listener);
  }

  /** An unknown listener is no error. */
  off<Type extends (RunEvent | Own)["type"] | "*">(
    type: Type,
    listener: (event: EventOf<RunEvent | Own, Type>) => unknown,
  ): void {
    this.#listeners.get(type)?.delete(listener);
  }

  clear(): void {
    this.#listeners.clear();
  }

  /** Calls the listeners at once. Resolves when the promises of all of them have settled; a run does not wait for it. */
  async emit(event: RunEvent | Own): Promise<void> {
    const listeners = [event.type, "*"].flatMap((type) => [...(this.#listeners.get(type) ?? [])]);
    await Promise.all(listeners.map((listener) => this.#call(listener, event)));
  }

  async #call(listener: (event: never) => unknown, event: RunEvent | Own): Promise<void> {
    try {
      await Reflect.apply(listener, undefined, [event]);
    } catch (error) {
      this.onError(error);
    }
  }
}
