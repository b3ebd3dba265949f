import "server-only";

/**
 * What waits for turns of the event loop, with the milliseconds for which later requests may come first: requests that
 * change something, storing what they add, pages of rows that a reader takes, and the work of runs.
 */
const patience = { request: 0, store: 20, read: 50, run: 50 } as const;
export type TurnKind = keyof typeof patience;

interface Waiter {
  deadline: number;
  start(): void;
}

/**
 * Lets work that would follow in one turn of the event loop take turns: one piece begins in each, the one with the
 * earliest deadline first, and requests that only read are answered in between. Much of what this server does never waits
 * for anything outside of it (SQLite, simulated models), and would else keep every socket waiting until all of it is done.
 */
export class EventLoopTurns {
  readonly #waiters: Record<TurnKind, Waiter[]> = { request: [], store: [], read: [], run: [] };
  #isScheduled = false;

  constructor(
    private readonly now = (): number => performance.now(),
    private readonly schedule = (callback: () => void): void => void setImmediate(callback),
  ) {}

  /** Resolves in a later turn of the event loop, which no other waiter shares. Never rejects. */
  wait(kind: TurnKind): Promise<void> {
    return new Promise((start) => {
      this.#waiters[kind].push({ deadline: this.now() + patience[kind], start });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.schedule(() => {
      this.#isScheduled = false;
      const queue = this.#findMostUrgent();
      queue?.shift()?.start();
      if (this.#findMostUrgent()) this.#schedule();
    });
  }

  /** The queue whose first waiter has the earliest deadline. Within one they are in order. */
  #findMostUrgent(): Waiter[] | undefined {
    const deadlineOf = ([first]: Waiter[]): number => first?.deadline ?? Number.POSITIVE_INFINITY;
    const { request, store, read, run } = this.#waiters;
    const [mostUrgent] = [request, store, read, run].sort((left, right) => deadlineOf(left) - deadlineOf(right));
    return mostUrgent && mostUrgent.length > 0 ? mostUrgent : undefined;
  }
}

declare global {
  /** One for all bundles of a process. */
  var swarmloomTurns: EventLoopTurns | undefined;
}

/** Resolves when it is the caller's turn of this process's event loop. Never rejects. */
export function waitForTurn(kind: TurnKind): Promise<void> {
  globalThis.swarmloomTurns ??= new EventLoopTurns();
  return globalThis.swarmloomTurns.wait(kind);
}
