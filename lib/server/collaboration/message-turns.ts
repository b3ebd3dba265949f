import "server-only";
import { waitForTurn } from "../event-loop-turns";

/** Messages are handled for so long in one turn of the event loop. */
const maxMsPerTurn = 8;

/**
 * Shares the event loop between the messages of all editors and everything else. Messages that have arrived follow each other
 * without a turn, and so does most of what they wait for.
 */
class MessageTurns {
  /** When the first message of this turn of the event loop began; null: there was none yet. */
  #begin: number | null = null;
  #end: NodeJS.Immediate | undefined;

  /** Resolves when the next message may be handled. Never rejects. */
  async wait(): Promise<void> {
    if (this.#begin !== null && performance.now() - this.#begin < maxMsPerTurn) return;
    if (this.#begin !== null) await waitForTurn("store");
    this.#start();
  }

  #start(): void {
    clearImmediate(this.#end);
    this.#begin = performance.now();
    this.#end = setImmediate(() => {
      this.#begin = null;
    });
  }
}

const turns = new MessageTurns();

export const waitForMessageTurn = (): Promise<void> => turns.wait();
