import "server-only";
import type { Db } from "../../db";
import { loadSettings } from "../../load-settings";
import { logger } from "../../log/logger";
import { catchUp, hearNote } from "./hear-note";
import { JobConsumer } from "./job-consumer";
import { ProcessChannel } from "./process-channel";
import { forgetWorker, listWorkers, noteWorker } from "./workers";

/** Drives runs in this process. */
export interface RunExecutor {
  /** In the leases of its runs. */
  readonly owner: string;
  /** Whether it takes runs that wait for their turn, and those of processes that died. */
  takesRuns: boolean;
  /** Drives the run whose turn it is. Resolves when it needs no slot here any more. */
  take(): Promise<void>;
  /** Looks at what runs that it drives were asked for; `runIds`: only where one of them is among these. */
  look(runIds?: readonly string[]): Promise<void>;
}

export interface JobServiceOptions {
  url: string;
  /** A worker always drives runs, a web process while there is no worker. */
  role: "web" | "worker";
  concurrency: number;
  heartbeatMs?: number;
}

/** What a process does with others on one PostgreSQL: it takes jobs where that is its part, and hears what happens elsewhere. */
export class JobService {
  readonly #consumer: JobConsumer;
  readonly #channel: ProcessChannel;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | null = null;
  #isStopping = false;

  constructor(
    private readonly db: Db,
    private readonly executor: RunExecutor,
    private readonly options: JobServiceOptions,
  ) {
    const { url, concurrency } = options;
    this.#consumer = new JobConsumer({ url, concurrency, drive: () => executor.take() });
    const receivers = { executor, reloadSettings: () => loadSettings(db) };
    this.#channel = new ProcessChannel(url, {
      onNote: (note) => hearNote(note, receivers),
      onMissed: () => catchUp(receivers),
    });
  }

  /** Resolves when this process hears the others, and takes jobs where it is to. */
  async start(): Promise<void> {
    await this.#channel.open();
    globalThis.swarmloomNoteSender = this.#channel;
    await this.beat();
    this.#timer = setInterval(() => void this.beat(), this.options.heartbeatMs ?? 2_000);
    this.#timer.unref();
  }

  /** Decides anew whether this process takes jobs. Never rejects. */
  beat(): Promise<void> {
    this.#beating ??= this.#beat()
      .catch((error: unknown) => logger.error({ err: error }, "heartbeat of the queue failed"))
      .finally(() => {
        this.#beating = null;
      });
    return this.#beating;
  }

  async #beat(): Promise<void> {
    const { role, concurrency } = this.options;
    const { executor, db } = this;
    if (role === "worker" && !this.#isStopping) await noteWorker(db, { id: executor.owner, concurrency });
    const drives = role === "worker" || (await listWorkers(db)).length === 0;
    executor.takesRuns = drives && !this.#isStopping;
    if (this.#isStopping) return;
    if (!drives) return void this.#consumer.stop();
    await this.#consumer.start();
  }

  /** Takes no more jobs; those under way go on until the executor has shut down. */
  stopTaking(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    void this.#consumer.stop();
  }

  /** Resolves when nothing of it is under way. */
  async close(): Promise<void> {
    await this.#beating;
    await this.#consumer.stop();
    if (this.options.role === "worker") await forgetWorker(this.db, this.executor.owner).catch(() => {});
    globalThis.swarmloomNoteSender = undefined;
    await this.#channel.close();
  }
}
