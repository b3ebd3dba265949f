import { waitForRealTurn } from "./real-clocks";

/** Whom an event concerns: it is held while the owner is frozen, and never happens once the owner is dead. */
export interface EventOwner {
  readonly name: string;
  readonly isAlive: boolean;
  /** Simulated milliseconds; in the past where the owner is not frozen. */
  readonly frozenUntil: number;
}

interface TimelineEvent {
  at: number;
  /** Events of one moment happen in this order. */
  order: number;
  owner: EventOwner | null;
  act: () => void;
  isCancelled: boolean;
}

/** A scheduled event. */
export interface Handle {
  cancel(): void;
}

const isEarlier = (left: TimelineEvent, right: TimelineEvent): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order);

/**
 * The events of a simulation, in the order of simulated time. Each happens alone: whatever it resolves goes on, up to the
 * next wait, before the next event happens. So the same events have the same effects, however fast the machine is.
 */
export class Timeline {
  /** Simulated milliseconds since the start. */
  now = 0;
  /** Whose event happens at the moment; null: it concerns no process. */
  current: EventOwner | null = null;
  /** Whose event happened last. */
  lastOwner: EventOwner | null = null;
  /** Events that have happened. */
  count = 0;
  #order = 0;
  /** A binary heap. */
  readonly #events: TimelineEvent[] = [];

  /** Lets `act` happen after `delayMs`. */
  schedule(delayMs: number, owner: EventOwner | null, act: () => void): Handle {
    const event = { at: this.now + Math.max(0, delayMs), order: this.#order++, owner, act, isCancelled: false };
    this.#add(event);
    return {
      cancel: () => {
        event.isCancelled = true;
      },
    };
  }

  /** Lets the next event happen, and all that follows from it at once. Returns false when there is none until `end`. */
  async step(end: number): Promise<boolean> {
    for (;;) {
      const [event] = this.#events;
      if (!event || event.at > end) {
        this.now = end;
        return false;
      }
      this.#removeFirst();
      if (event.isCancelled || event.owner?.isAlive === false) continue;
      if (event.owner && event.owner.frozenUntil > event.at) {
        event.at = event.owner.frozenUntil;
        this.#add(event);
        continue;
      }
      this.now = event.at;
      await this.perform(event.owner, event.act);
      this.count++;
      this.lastOwner = event.owner;
      return true;
    }
  }

  /** Lets `act` happen now, as an event of its own. */
  async perform(owner: EventOwner | null, act: () => void): Promise<void> {
    this.current = owner;
    act();
    await waitForRealTurn();
    this.current = null;
  }

  #add(event: TimelineEvent): void {
    const events = this.#events;
    let index = events.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      const above = events[parent];
      if (!above || !isEarlier(event, above)) break;
      events[index] = above;
      index = parent;
    }
    events[index] = event;
  }

  #removeFirst(): void {
    const events = this.#events;
    const last = events.pop();
    if (!last || events.length === 0) return;
    let index = 0;
    for (;;) {
      const [left, right] = [events[2 * index + 1], events[2 * index + 2]];
      const child = left && right && isEarlier(right, left) ? right : left;
      if (!child || !isEarlier(child, last)) break;
      events[index] = child;
      index = child === left ? 2 * index + 1 : 2 * index + 2;
    }
    events[index] = last;
  }
}
