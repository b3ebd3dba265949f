import { PrismaBetterSqlite3 } from "@prisma/adapter-better-sqlite3";
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { type DatabaseError, isDatabaseError, retryWhileBusy, toDatabaseError } from "./database-error";

/** Called with null after each write that succeeded, and with the fault after each statement that met one. */
export type FaultListener = (fault: DatabaseError | null) => void;

const adapterName = "swarmloom-sqlite";
const isReading = ({ sql }: SqlQuery): boolean => /^\s*(?:SELECT|PRAGMA)\b/i.test(sql);
const toQuery = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });

/**
 * The driver for SQLite on one connection, such that a lock of another program never holds up the event loop: the driver
 * itself does not wait (it would do so synchronously), a statement or the beginning of a transaction that meets a lock
 * is attempted again for 30 s. Faults of the database are thrown as `DatabaseError`, all other errors as the driver's.
 *
 * While a transaction is open every other statement waits for its end: on one connection it would become part of the
 * transaction, and be lost with it.
 */
export function createSqliteAdapter(file: string, onFault: FaultListener): SqlDriverAdapterFactory {
  const driver = new PrismaBetterSqlite3({ url: file, timeout: 0 });
  return {
    provider: "sqlite",
    adapterName,
    connect: async () => new SqliteConnection(await driver.connect(), onFault),
  };
}

class SqliteConnection implements SqlDriverAdapter {
  readonly provider = "sqlite";
  readonly adapterName = adapterName;
  /** Resolves at the end of the transaction that is open. */
  #transactionEnd: Promise<void> | null = null;

  constructor(
    private readonly driver: SqlDriverAdapter,
    readonly onFault: FaultListener,
  ) {}

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, () => this.driver.queryRaw(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, () => this.driver.executeRaw(query));
  }

  executeScript(script: string): Promise<void> {
    return this.#perform(toQuery(script), () => this.driver.executeScript(script));
  }

  async startTransaction(): Promise<Transaction> {
    return new SqliteTransaction(this, this.driver);
  }

  dispose(): Promise<void> {
    return this.driver.dispose();
  }

  /** Attempts `statement` until no other program holds the lock. Throws a fault of the database as `DatabaseError`. */
  async attempt<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await retryWhileBusy(statement);
    } catch (error) {
      const fault = toDatabaseError(error);
      if (!fault) throw error;
      this.onFault(fault);
      throw fault;
    }
  }

  /** Sends `begin` as soon as no other transaction is open here. Returns what must be called at the transaction's end. */
  begin(begin: string): Promise<() => void> {
    return this.attempt(async () => {
      while (this.#transactionEnd) await this.#transactionEnd;
      // The driver is synchronous, and nothing is awaited between the check and the statement.
      const begun = this.driver.executeRaw(toQuery(begin));
      let end = (): void => {};
      this.#transactionEnd = new Promise((resolve) => {
        end = () => {
          this.#transactionEnd = null;
          resolve();
        };
      });
      await begun.catch((error: unknown) => {
        end();
        throw error;
      });
      return end;
    });
  }

  async #perform<T>(query: SqlQuery, statement: () => Promise<T>): Promise<T> {
    const result = await this.attempt(async () => {
      while (this.#transactionEnd) await this.#transactionEnd;
      return statement();
    });
    if (!isReading(query)) this.onFault(null);
    return result;
  }
}

/** Begins with its first statement, which decides whether it takes the write lock: one that only reads waits for no other program. */
class SqliteTransaction implements Transaction {
  readonly provider = "sqlite";
  readonly adapterName = adapterName;
  /** The engine leaves COMMIT and ROLLBACK to `commit` and `rollback`. */
  readonly options = { usePhantomQuery: true };
  #begun: Promise<() => void> | null = null;
  #writes = false;
  /** Why no statement is taken any more. */
  #closed: Error | null = null;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly driver: SqlDriverAdapter,
  ) {}

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, () => this.driver.queryRaw(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, () => this.driver.executeRaw(query));
  }

  async commit(): Promise<void> {
    const end = await this.#begun;
    if (!end) return;
    try {
      await this.#attempt(() => this.driver.executeRaw(toQuery("COMMIT")));
    } catch (error) {
      await this.rollback();
      throw error;
    }
    this.#closed = new Error("the transaction was committed");
    end();
    if (this.#writes) this.connection.onFault(null);
  }

  async rollback(): Promise<void> {
    this.#closed ??= new Error("the transaction was rolled back");
    const end = await this.#begun?.catch(() => null);
    // It fails where SQLite has rolled back by itself.
    if (end) await this.driver.executeRaw(toQuery("ROLLBACK")).catch(() => 0);
    end?.();
  }

  async #perform<T>(query: SqlQuery, statement: () => Promise<T>): Promise<T> {
    this.#begun ??= this.connection.begin(isReading(query) ? "BEGIN" : "BEGIN IMMEDIATE");
    await this.#begun;
    this.#writes ||= !isReading(query);
    return this.#attempt(statement);
  }

  #attempt<T>(statement: () => Promise<T>): Promise<T> {
    return this.connection
      .attempt(async () => {
        if (this.#closed) throw this.#closed;
        return statement();
      })
      .catch((error: unknown) => {
        // After a full disk SQLite has rolled back by itself: what followed would be outside of the transaction.
        if (isDatabaseError(error)) this.#closed ??= error;
        throw error;
      });
  }
}
