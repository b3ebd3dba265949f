import { isDatabaseError } from "./database-error";
import type { RunWrite } from "./run-store";

/** How many writes one transaction has at most: it holds up whatever else its process does. */
const mostOfGroup = 50;

interface WaitingWrite {
  write: RunWrite;
  resolve(isWritten: boolean): void;
  reject(error: unknown): void;
}

export interface WriteGroupsOptions {
  /** How many groups are under way at the same time. */
  concurrency: number;
  /** Only writes of one kind are in one group; missing: all are. */
  toKind?(write: RunWrite): string;
  /**
   * Stores each of the writes, or none of them, and resolves to the ids of the runs that are still the writers'. A group
   * has at most one write of a run.
   */
  perform(writes: readonly RunWrite[]): Promise<ReadonlySet<string>>;
}

/**
 * Joins the writes of several runs to one transaction, because its end takes longer than what is in it. A group has what
 * was asked for within one turn of the event loop, and while all earlier groups were under way. Writes of one run stay in
 * their order.
 */
export class WriteGroups {
  #waiting: WaitingWrite[] = [];
  /** Runs in the groups that are under way. */
  readonly #busyRuns = new Set<string>();
  #active = 0;
  #turn: ReturnType<typeof setImmediate> | undefined;
  #idleListeners: (() => void)[] = [];

  constructor(private readonly options: WriteGroupsOptions) {}

  /** Resolves to whether the run is still the writer's. One write that fails does not keep others from being stored. */
  add(write: RunWrite): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      this.#turn ??= setImmediate(() => {
        this.#turn = undefined;
        this.#performWaiting();
      });
    });
  }

  /** Resolves once nothing waits and nothing is under way. */
  idle(): Promise<void> {
    if (this.#waiting.length === 0 && this.#active === 0) return Promise.resolve();
    return new Promise((resolve) => this.#idleListeners.push(resolve));
  }

  #performWaiting(): void {
    while (this.#active < this.options.concurrency) {
      const group = this.#takeGroup();
      if (group.length === 0) break;
      this.#active++;
      void this.#settle(group).then(() => {
        this.#active--;
        for (const { write } of group) this.#busyRuns.delete(write.runId);
        this.#performWaiting();
      });
    }
    if (this.#active === 0 && this.#waiting.length === 0)
      for (const resolve of this.#idleListeners.splice(0)) resolve();
  }

  #takeGroup(): WaitingWrite[] {
    const group: WaitingWrite[] = [];
    const rest: WaitingWrite[] = [];
    const blockedRuns = new Set(this.#busyRuns);
    const { toKind = () => "" } = this.options;
    let groupKind: string | undefined;
    for (const waiting of this.#waiting) {
      const { write } = waiting;
      const isFree = group.length < mostOfGroup && !blockedRuns.has(write.runId);
      blockedRuns.add(write.runId);
      const kind = isFree ? toKind(write) : undefined;
      if (isFree && kind === (groupKind ?? kind)) {
        groupKind = kind;
        group.push(waiting);
        this.#busyRuns.add(write.runId);
      } else rest.push(waiting);
    }
    this.#waiting = rest;
    return group;
  }

  async #settle(group: readonly WaitingWrite[]): Promise<void> {
    try {
      const written = await this.options.perform(group.map(({ write }) => write));
      for (const { write, resolve } of group) resolve(written.has(write.runId));
    } catch (error) {
      // A fault of the database concerns all of them.
      if (group.length > 1 && !isDatabaseError(error))
        await Promise.all(group.map((waiting) => this.#settle([waiting])));
      else for (const { reject } of group) reject(error);
    }
  }
}
