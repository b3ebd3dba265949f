import "server-only";
import type { Worker } from "node:worker_threads";

/** A task for a thread: what the thread receives, and how long it may work on it. */
export interface PoolTask {
  /** Clients take turns: one with many tasks delays each task of another by one of its own, and leaves a thread to others. */
  client: string;
  message: unknown;
  deadlineMs: number;
  /** It may take long: it leaves one thread to others, and takes every second turn. */
  isLong?: boolean | undefined;
  /**
   * It waits however many tasks of its client wait, and takes any thread: for callers whose number is limited already, e.g. the
   * steps of runs.
   */
  isPatient?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** What a thread sends: that it can take tasks, and the end of each. */
export type ThreadMessage<Result> =
  | { type: "ready" }
  | { type: "done"; result: Result }
  | { type: "failed"; error: { name: string; message: string } };

interface PoolOptions {
  createThread: () => Worker;
  maxThreads: number;
  /** Waiting tasks of one client; more are refused, unless they are patient. */
  maxWaiting: number;
  /** A thread without work ends after this time, unless it is one of so many that stay. */
  idleMs: number;
  keptThreads?: number;
}

/** A task took too much time or memory, and was stopped. */
class CostError extends Error {
  override name = "CostError";
}

/** A task was refused, because too many tasks of its client wait. */
class BusyError extends Error {
  override name = "BusyError";
}

/** By their names: the server has this module in several bundles, each with classes of its own. */
const isNamed =
  (name: string) =>
  (error: unknown): error is Error =>
    error instanceof Error && error.name === name;
export const isCostError = isNamed("CostError");
export const isBusyError = isNamed("BusyError");

interface WaitingTask extends PoolTask {
  receive: (message: ThreadMessage<never>) => void;
  reject: (reason: unknown) => void;
}

interface Thread {
  worker: Worker;
  task: WaitingTask | null;
  isReady: boolean;
  /** The deadline of its task, or the end of an idle thread. */
  timer: NodeJS.Timeout | undefined;
}

/** Threads for work that takes processor time. A task that exceeds its deadline, or is aborted, ends with its thread. */
export class WorkerPool {
  readonly #threads = new Set<Thread>();
  /** By client, in the order of their turns; no queue is empty. */
  readonly #queues = { short: new Map<string, WaitingTask[]>(), long: new Map<string, WaitingTask[]>() };
  #wasShort = false;

  constructor(private readonly options: PoolOptions) {}

  /** Resolves to the result of the task. Rejects with its error, a CostError, a BusyError or the reason of its signal. */
  async run<Result>(task: PoolTask): Promise<Result> {
    const { signal, client, isPatient = false } = task;
    signal?.throwIfAborted();
    const queues = this.#queuesOf(task);
    const queue = queues.get(client) ?? [];
    if (!isPatient && queue.length >= this.options.maxWaiting)
      throw new BusyError(`More than ${this.options.maxWaiting} tasks wait already. Try again in a moment.`);
    let abort = (): void => {};
    const result = new Promise<Result>((resolve, reject) => {
      const receive = (message: ThreadMessage<Result>): void => {
        if (message.type === "done") resolve(message.result);
        if (message.type === "failed") reject(Object.assign(new Error(message.error.message), message.error));
      };
      const waiting = { ...task, receive, reject };
      abort = () => this.#abort(waiting);
      queues.set(client, [...queue, waiting]);
    });
    signal?.addEventListener("abort", abort);
    this.#assign();
    return result.finally(() => signal?.removeEventListener("abort", abort));
  }

  #assign(): void {
    for (const thread of this.#threads) if (thread.isReady && thread.task === null) this.#start(thread);
    const starting = [...this.#threads].filter(({ isReady }) => !isReady).length;
    const free = this.options.maxThreads - this.#threads.size;
    for (let count = Math.min(free, this.#countStartable() - starting); count > 0; count--) this.#addThread();
  }

  /** How many of the tasks that wait could be taken now, if there were threads. */
  #countStartable(): number {
    const counts = [...this.#queues.short.values(), ...this.#queues.long.values()].map((tasks) => {
      const free = this.#mostForOne - this.#countRunning(tasks[0]?.client);
      const patient = tasks.filter(({ isPatient }) => isPatient).length;
      return patient + Math.min(tasks.length - patient, Math.max(0, free));
    });
    return counts.reduce((sum, count) => sum + count, 0);
  }

  /** Of the threads, how many one client takes, or long tasks. */
  get #mostForOne(): number {
    return Math.max(1, this.options.maxThreads - 1);
  }

  #countRunning = (client: string | undefined): number =>
    [...this.#threads].filter(({ task }) => task !== null && task.client === client).length;

  #start(thread: Thread): void {
    const task = this.#takeNext();
    if (!task) {
      thread.worker.unref();
      thread.timer ??= setTimeout(() => this.#endIdle(thread), this.options.idleMs).unref();
      return;
    }
    clearTimeout(thread.timer);
    thread.task = task;
    thread.worker.ref();
    thread.timer = setTimeout(() => {
      const message = `Expected the work to take at most ${task.deadlineMs / 1000} s. It was stopped.`;
      this.#end(thread, new CostError(message));
    }, task.deadlineMs);
    thread.worker.postMessage(task.message);
  }

  #queuesOf({ isLong }: PoolTask): Map<string, WaitingTask[]> {
    return isLong ? this.#queues.long : this.#queues.short;
  }

  /** Long tasks leave a thread to short ones, and take turns with them in the others. */
  #takeNext(): WaitingTask | undefined {
    const mayTake = ({ client, isPatient }: WaitingTask): boolean =>
      isPatient === true || this.#countRunning(client) < this.#mostForOne;
    const longRunning = [...this.#threads].filter(({ task }) => task?.isLong).length;
    const mayTakeLong = longRunning < this.#mostForOne;
    const { short, long } = this.#queues;
    const takeLong = () => (mayTakeLong ? takeFirst(long, mayTake) : undefined);
    const longTask = this.#wasShort ? takeLong() : undefined;
    const shortTask = longTask ? undefined : takeFirst(short, mayTake);
    this.#wasShort = shortTask !== undefined;
    return longTask ?? shortTask ?? takeLong();
  }

  #endIdle(thread: Thread): void {
    if (this.#threads.size > (this.options.keptThreads ?? 0)) this.#end(thread, new Error("The thread had no work."));
  }

  #addThread(): void {
    const worker = this.options.createThread();
    const thread: Thread = { worker, task: null, isReady: false, timer: undefined };
    this.#threads.add(thread);
    worker.on("message", (message: ThreadMessage<never>) => this.#receive(thread, message));
    worker.on("error", (error) => this.#end(thread, toCostError(error)));
    worker.on("exit", () => this.#end(thread, new Error("The thread of this task has ended.")));
  }

  #receive(thread: Thread, message: ThreadMessage<never>): void {
    const { task } = thread;
    thread.isReady = true;
    thread.task = null;
    clearTimeout(thread.timer);
    thread.timer = undefined;
    task?.receive(message);
    // Not only for this thread: a long task may have waited for this one, and a thread without work takes it.
    this.#assign();
  }

  #end(thread: Thread, reason: Error): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    // A thread that could not start takes a task with it: else each one would start another.
    const task = thread.isReady ? thread.task : this.#takeNext();
    task?.reject(reason);
    this.#assign();
  }

  #abort(task: WaitingTask): void {
    const thread = [...this.#threads].find((one) => one.task === task);
    if (thread) this.#end(thread, toError(task.signal?.reason));
    const queues = this.#queuesOf(task);
    const rest = (queues.get(task.client) ?? []).filter((one) => one !== task);
    if (rest.length > 0) queues.set(task.client, rest);
    else queues.delete(task.client);
    task.reject(task.signal?.reason);
  }
}

/** The first task of the client whose turn it is, of those that may be taken. */
function takeFirst(
  queues: Map<string, WaitingTask[]>,
  mayTake: (task: WaitingTask) => boolean,
): WaitingTask | undefined {
  for (const [client, [task, ...rest]] of queues) {
    if (!task || !mayTake(task)) continue;
    queues.delete(client);
    if (rest.length > 0) queues.set(client, rest);
    return task;
  }
  return undefined;
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const toCostError = (error: Error): Error =>
  "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? new CostError("Expected the work to take less memory. It was stopped.")
    : error;
