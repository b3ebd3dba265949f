import type { NoteKind, ProcessNote } from "@/lib/server/runs/store/tell-processes";
import type { Random } from "../time/random";
import type { EventOwner, Timeline } from "../time/timeline";

/** A process that hears notes. */
export interface NoteReceiver extends EventOwner {
  hear(note: ProcessNote): void;
  /** Notes may have been missed. */
  catchUp(): void;
}

/** How unreliable the bus is. */
export interface BusFaults {
  /** Of a note that arrives twice. */
  repeatChance: number;
  /** The longest time of a note, in milliseconds. */
  maxDelayMs: number;
}

/**
 * Notes between simulated processes: in any order, sometimes twice. A receiver without a connection gets none, and learns
 * of it once it is connected again; what a sender without a connection tells gets lost, and no one learns of it.
 */
export class Bus {
  readonly #receivers = new Set<NoteReceiver>();
  readonly #deafUntil = new Map<NoteReceiver, number>();

  constructor(
    private readonly timeline: Timeline,
    private readonly random: Random,
    public faults: BusFaults,
  ) {}

  add(receiver: NoteReceiver): void {
    this.#receivers.add(receiver);
  }

  remove(receiver: NoteReceiver): void {
    this.#receivers.delete(receiver);
  }

  send(sender: NoteReceiver, kind: NoteKind, id = ""): void {
    if (this.#isDeaf(sender)) return;
    const note = { kind, ids: id === "" ? [] : [id] };
    for (const receiver of this.#receivers) {
      if (receiver === sender) continue;
      const times = this.random.chance(this.faults.repeatChance) ? 2 : 1;
      for (let time = 0; time < times; time++) this.#deliver(receiver, note);
    }
  }

  #deliver(receiver: NoteReceiver, note: ProcessNote): void {
    const delayMs = this.random.chance(0.1)
      ? this.random.between(1, this.faults.maxDelayMs)
      : this.random.between(0.2, 3);
    this.timeline.schedule(delayMs, receiver, () => {
      if (!this.#isDeaf(receiver)) receiver.hear(note);
    });
  }

  #isDeaf(receiver: NoteReceiver): boolean {
    return (this.#deafUntil.get(receiver) ?? 0) > this.timeline.now;
  }

  /** The connection of a process is lost for a while. */
  cutOff(receiver: NoteReceiver, durationMs: number): void {
    const until = Math.max(this.#deafUntil.get(receiver) ?? 0, this.timeline.now + durationMs);
    this.#deafUntil.set(receiver, until);
    this.#catchUpLater(receiver, durationMs);
  }

  /** All connections are there again. */
  healAll(): void {
    const receivers = [...this.#deafUntil.keys()].filter((receiver) => this.#isDeaf(receiver));
    this.#deafUntil.clear();
    for (const receiver of receivers) this.#catchUpLater(receiver, 0);
  }

  #catchUpLater(receiver: NoteReceiver, delayMs: number): void {
    this.timeline.schedule(delayMs + this.random.between(0, 500), receiver, () => {
      if (!this.#isDeaf(receiver)) receiver.catchUp();
    });
  }
}
