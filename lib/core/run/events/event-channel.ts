import type { EventBus } from "./event-bus";
import type { RunEvent } from "./events";
import { Fifo } from "./fifo";

type ChannelResult = IteratorResult<RunEvent, void>;

const finished: ChannelResult = { value: undefined, done: true };

/** What drives the other end of a channel. */
export interface Producer {
  /** Called once, at the first `next()`; must never reject. The stream ends when it resolves. */
  start(): Promise<void>;
  /** Called when the consumer leaves early: whatever runs must end soon. */
  stop(): void;
}

/**
 * The events of a run as one async generator, fed by many tasks at once. The consumer has *taken in* an event when it asks
 * for the next one; tasks wait for that with `taken`, so that whatever the consumer does with an event (store it) is done
 * before the work that depends on it begins.
 */
export class EventChannel implements AsyncGenerator<RunEvent, void> {
  readonly #producer: Producer;
  readonly #bus: EventBus | undefined;
  readonly #queue = new Fifo<RunEvent>();
  readonly #asking = new Fifo<(result: ChannelResult) => void>();
  /** In the order of `seq`. */
  readonly #waiting = new Fifo<{ seq: number; resolve: () => void }>();
  #delivered = 0;
  #taken = 0;
  #work: Promise<void> | null = null;
  #state: "open" | "ended" | "left" = "open";

  constructor(producer: Producer, bus?: EventBus) {
    this.#producer = producer;
    this.#bus = bus;
  }

  /** Events that were put in and not yet delivered. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** Puts in the next event. After the consumer left, events are dropped. */
  put(event: RunEvent): void {
    if (this.#state !== "open") return;
    this.#bus?.emit(event);
    const ask = this.#asking.shift();
    if (!ask) {
      this.#queue.push(event);
      return;
    }
    ask(this.#deliver(event));
    // Whoever waits for several events at once has asked for what follows already.
    if (this.#asking.length > 0) this.#take(event.seq);
  }

  /** Resolves once the consumer has taken in the event `seq`, or left. */
  taken(seq: number): Promise<void> {
    if (seq <= this.#taken) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ seq, resolve }));
  }

  next(): Promise<ChannelResult> {
    this.#work ??= this.#producer.start().then(() => this.#end("ended"));
    this.#take(this.#delivered);
    const event = this.#queue.shift();
    if (event) return Promise.resolve(this.#deliver(event));
    if (this.#state !== "open") return Promise.resolve(finished);
    return new Promise((resolve) => this.#asking.push(resolve));
  }

  /** Leaves early: stops the producer, drops what is left and waits until nothing runs any more. */
  async return(): Promise<ChannelResult> {
    if (this.#work && this.#state === "open") this.#producer.stop();
    this.#end("left");
    this.#queue.clear();
    this.#take(Number.POSITIVE_INFINITY);
    this.#work ??= Promise.resolve();
    await this.#work;
    return finished;
  }

  async throw(error: unknown): Promise<ChannelResult> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #deliver(value: RunEvent): ChannelResult {
    this.#delivered = value.seq;
    return { value, done: false };
  }

  #take(seq: number): void {
    this.#taken = Math.max(this.#taken, seq);
    for (let first = this.#waiting.peek(); first && first.seq <= this.#taken; first = this.#waiting.peek()) {
      this.#waiting.shift();
      first.resolve();
    }
  }

  /** No event comes any more: whoever still asks learns it. */
  #end(state: "ended" | "left"): void {
    if (this.#state !== "left") this.#state = state;
    for (let ask = this.#asking.shift(); ask; ask = this.#asking.shift()) ask(finished);
  }
}
