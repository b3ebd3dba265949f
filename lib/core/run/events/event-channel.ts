import { countTextUnits } from "./count-text-units";
import type { EventBus } from "./event-bus";
import type { RunEvent } from "./events";
import { Fifo } from "./fifo";

type ChannelResult = IteratorResult<RunEvent, void>;

const finished: ChannelResult = { value: undefined, done: true };

/** The producing end of a channel. */
export interface Producer {
  /** Called once, at the first `next()`; must never reject. The stream ends when it resolves. */
  start(): Promise<void>;
  /** Called when the consumer leaves early: all work must end soon. */
  stop(): void;
}

/**
 * The events of a run as one async generator, fed by many concurrent tasks. The consumer has *processed* an event when it
 * requests the next one; tasks wait for that with `processed`, so that what the consumer does with an event (store it) is
 * done before the work that depends on it begins.
 */
export class EventChannel implements AsyncGenerator<RunEvent, void> {
  readonly #producer: Producer;
  readonly #bus: Pick<EventBus, "emit"> | undefined;
  readonly #queue = new Fifo<RunEvent>();
  readonly #requests = new Fifo<(result: ChannelResult) => void>();
  /** In the order of `seq`. */
  readonly #processedWaiters = new Fifo<{ seq: number; resolve: () => void }>();
  #undeliveredUnits = 0;
  #delivered: number;
  #lastProcessed: number;
  #work: Promise<void> | null = null;
  #state: "open" | "ended" | "left" = "open";

  /** `lastSeq`: the events up to this one were processed before. */
  constructor(producer: Producer, bus?: Pick<EventBus, "emit">, lastSeq = 0) {
    this.#producer = producer;
    this.#bus = bus;
    this.#delivered = lastSeq;
    this.#lastProcessed = lastSeq;
  }

  /** Number of events that are not delivered yet. */
  get backlog(): number {
    return this.#queue.length;
  }

  /** How long the texts of these events are together, in UTF-16 units. */
  get backlogUnits(): number {
    return this.#undeliveredUnits;
  }

  /** Adds the next event. After the consumer left, events are dropped. */
  put(event: RunEvent): void {
    if (this.#state !== "open") return;
    void this.#bus?.emit(event);
    const respond = this.#requests.shift();
    if (!respond) {
      this.#undeliveredUnits += countTextUnits(event);
      this.#queue.push(event);
      return;
    }
    respond(this.#deliver(event));
    // A consumer with several open requests has requested the next event already.
    if (this.#requests.length > 0) this.#markProcessed(event.seq);
  }

  /** Resolves once the consumer has processed the event `seq`, or left. */
  processed(seq: number): Promise<void> {
    if (seq <= this.#lastProcessed) return Promise.resolve();
    return new Promise((resolve) => this.#processedWaiters.push({ seq, resolve }));
  }

  next(): Promise<ChannelResult> {
    this.#work ??= this.#producer.start().then(() => this.#end("ended"));
    this.#markProcessed(this.#delivered);
    const event = this.#queue.shift();
    if (event) {
      this.#undeliveredUnits -= countTextUnits(event);
      return Promise.resolve(this.#deliver(event));
    }
    if (this.#state !== "open") return Promise.resolve(finished);
    return new Promise((resolve) => this.#requests.push(resolve));
  }

  /** Leaves early: stops the producer, drops undelivered events and waits until no work is running. */
  async return(): Promise<ChannelResult> {
    if (this.#work && this.#state === "open") this.#producer.stop();
    this.#end("left");
    this.#queue.clear();
    this.#undeliveredUnits = 0;
    this.#markProcessed(Number.POSITIVE_INFINITY);
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

  #markProcessed(seq: number): void {
    this.#lastProcessed = Math.max(this.#lastProcessed, seq);
    const waiters = this.#processedWaiters;
    for (let waiter = waiters.peek(); waiter && waiter.seq <= this.#lastProcessed; waiter = waiters.peek()) {
      waiters.shift();
      waiter.resolve();
    }
  }

  /** Ends the open requests: there are no more events. */
  #end(state: "ended" | "left"): void {
    if (this.#state !== "left") this.#state = state;
    for (let respond = this.#requests.shift(); respond; respond = this.#requests.shift()) respond(finished);
  }
}
