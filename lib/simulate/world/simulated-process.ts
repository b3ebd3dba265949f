import type { ProcessNote } from "@/lib/server/runs/store/tell-processes";
import type { Program } from "../program/main";
import type { StoreClient } from "../store/simulated-store";
import type { Timeline } from "../time/timeline";
import type { NoteReceiver } from "./bus";

/** One life of a server process, from its start to its end. */
export class SimulatedProcess implements StoreClient, NoteReceiver {
  isAlive = true;
  frozenUntil = 0;
  /** Null until it has started. */
  program: Program | null = null;
  readonly #listeners: (() => void)[] = [];

  constructor(
    /** Its server and which life of it this is, e.g. `A2`. */
    readonly name: string,
    private readonly timeline: Timeline,
  ) {}

  get isFrozen(): boolean {
    return this.frozenUntil > this.timeline.now;
  }

  /** It works again after so many milliseconds: until then nothing happens in it, and time goes on. A longer freeze goes on. */
  freeze(durationMs: number): void {
    // Events that it holds happen at its end.
    this.frozenUntil = Math.max(this.frozenUntil, this.timeline.now + durationMs);
  }

  /** Nothing happens in it any more. */
  kill(): void {
    this.isAlive = false;
    for (const listener of this.#listeners) listener();
  }

  onKilled(listener: () => void): void {
    this.#listeners.push(listener);
  }

  hear(note: ProcessNote): void {
    this.program?.hear(note);
  }

  catchUp(): void {
    this.program?.catchUp();
  }

  onStoreFault(fault: Error | null): void {
    this.program?.onStoreFault(fault);
  }
}
