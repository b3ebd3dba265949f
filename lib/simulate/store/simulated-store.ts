import { DatabaseError } from "@/prisma/database-error";
import type { Random } from "../time/random";
import type { EventOwner, Timeline } from "../time/timeline";
import type { MemoryDatabase } from "./database";

/** A process that sends statements. */
export interface StoreClient extends EventOwner {
  /** Receives each fault of a statement, and null after each write that succeeded. */
  onStoreFault(fault: DatabaseError | null): void;
}

/** A transaction that is open, or was. While one is open, the statements of all others wait. */
export interface StoreTransaction {
  readonly client: StoreClient;
  isOver: boolean;
}

export interface StatementOptions<T> {
  client: StoreClient;
  execute(): Promise<T>;
  transaction?: StoreTransaction | undefined;
  /** The statement begins its transaction, or ends it. */
  boundary?: "begin" | "end";
  /** For faults that are to happen where something happens. */
  addsRows?: boolean;
}

interface Statement {
  client: StoreClient;
  transaction: StoreTransaction | undefined;
  boundary: "begin" | "end" | undefined;
  addsRows: boolean;
  execute(): Promise<unknown>;
  resolve(result: never): void;
  reject(error: unknown): void;
}

/** How unreliable the store is. */
export interface StoreFaults {
  /** Of a statement that takes long. */
  slowChance: number;
  /** The longest time to the store or back, in milliseconds. */
  maxSlowMs: number;
  /** Of a statement whose connection is lost. */
  lossChance: number;
}

/**
 * One database for all simulated processes. Each statement takes a random time to it and back, so that those of several
 * processes, and those of one that do not wait for each other, happen in any order. A statement whose connection is lost
 * has happened, or not.
 */
export class SimulatedStore {
  /** Statements that have happened. */
  count = 0;
  #writer: StoreClient | null = null;
  #open: StoreTransaction | null = null;
  #waiting: Statement[] = [];
  /** Statements without an answer, by process. */
  readonly #unanswered = new Map<StoreClient, Set<Statement>>();
  /** Until when a process cannot reach the store, in simulated milliseconds. */
  readonly #unreachableUntil = new Map<StoreClient, number>();

  constructor(
    readonly database: MemoryDatabase,
    private readonly timeline: Timeline,
    private readonly random: Random,
    public faults: StoreFaults,
  ) {}

  /** Nothing that a process sends arrives, and no answer to it, for a while. */
  cutOff(client: StoreClient, durationMs: number): void {
    const until = Math.max(this.#unreachableUntil.get(client) ?? 0, this.timeline.now + durationMs);
    this.#unreachableUntil.set(client, until);
  }

  /** Every process reaches the store again. */
  healAll(): void {
    this.#unreachableUntil.clear();
  }

  isReachable(client: StoreClient): boolean {
    return (this.#unreachableUntil.get(client) ?? 0) <= this.timeline.now;
  }

  /** The process that added rows since the last call. */
  takeWriter(): StoreClient | null {
    const writer = this.#writer;
    this.#writer = null;
    return writer;
  }

  hasOpenTransaction(client: StoreClient): boolean {
    return this.#open?.client === client;
  }

  /** Performs a statement of a process. Throws DatabaseError when its connection is lost; never settles once the process is dead. */
  perform<T>({ client, execute, transaction, boundary, addsRows = false }: StatementOptions<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (!client.isAlive) return;
      const statement = { client, transaction, boundary, addsRows, execute, resolve, reject };
      const unanswered = this.#unanswered.get(client) ?? new Set();
      this.#unanswered.set(client, unanswered.add(statement));
      this.timeline.schedule(this.#latency(), null, () => this.#arrive(statement));
    });
  }

  /** The statements of a process that has just died fail, for what waits for them there; its transaction is undone. */
  forget(client: StoreClient): void {
    if (this.#open?.client === client) this.#undo(this.#open);
    for (const { reject } of this.#unanswered.get(client) ?? []) reject(new Error("the process was killed"));
    this.#unanswered.delete(client);
  }

  #latency(): number {
    const { slowChance, maxSlowMs } = this.faults;
    return this.random.chance(slowChance) ? this.random.between(2, maxSlowMs) : this.random.between(0.1, 1.5);
  }

  #arrive(statement: Statement): void {
    const { client, transaction } = statement;
    // What a process sent before it was killed has arrived, or not.
    if (!client.isAlive && (transaction || this.random.chance(0.5))) return;
    if (this.#open && this.#open !== transaction) this.#waiting.push(statement);
    else this.#perform(statement);
  }

  #perform(statement: Statement): void {
    const { client, transaction, boundary, execute } = statement;
    const isCutOff = !this.isReachable(client);
    const isLost = isCutOff || this.random.chance(this.faults.lossChance);
    const isAnswerLost = isLost && !isCutOff && this.random.chance(0.5);
    const isOver = transaction?.isOver === true;
    if (isOver || (isLost && !isAnswerLost)) {
      this.#lose(statement);
      return;
    }
    if (boundary === "begin") this.#open = transaction ?? null;
    this.count++;
    if (statement.addsRows) this.#writer = client;
    if (boundary === "end" && transaction) transaction.isOver = true;
    const { resolve, reject } = statement;
    void execute().then(
      (result) => {
        if (boundary === "end") this.#release(transaction);
        if (isAnswerLost) this.#lose(statement);
        else this.#answer(statement, () => Reflect.apply(resolve, undefined, [result]));
      },
      (error: unknown) => {
        if (boundary === "end" && transaction) this.#undo(transaction);
        this.#answer(statement, () => reject(error));
      },
    );
  }

  /** The connection is gone, and with it the transaction that was open on it. */
  #lose(statement: Statement): void {
    const { client, transaction, reject } = statement;
    if (transaction) this.#undo(transaction);
    this.#answer(statement, () => {
      const fault = new DatabaseError("unreachable", "The connection to the simulated database was lost.");
      client.onStoreFault(fault);
      reject(fault);
    });
  }

  #answer(statement: Statement, settle: () => void): void {
    const { client } = statement;
    this.timeline.schedule(this.#latency(), client, () => {
      this.#unanswered.get(client)?.delete(statement);
      settle();
    });
  }

  #undo(transaction: StoreTransaction): void {
    transaction.isOver = true;
    if (this.#open !== transaction) return;
    if (this.database.connection.inTransaction) this.database.connection.exec("ROLLBACK");
    this.#release(transaction);
  }

  #release(transaction: StoreTransaction | undefined): void {
    if (this.#open !== transaction) return;
    this.#open = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const statement of waiting)
      this.timeline.schedule(this.random.next() / 10, null, () => this.#arrive(statement));
  }
}
