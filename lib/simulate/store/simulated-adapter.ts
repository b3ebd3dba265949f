import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { isDatabaseError } from "@/prisma/database-error";
import type { SimulatedStore, StoreClient, StoreTransaction } from "./simulated-store";

const adapterName = "swarmloom-simulation";
const isReading = ({ sql }: SqlQuery): boolean => /^\s*(?:SELECT|PRAGMA)\b/i.test(sql);
const isAdding = ({ sql }: SqlQuery): boolean => /^\s*INSERT\b/i.test(sql);
const toQuery = (sql: string): SqlQuery => ({ sql, args: [], argTypes: [] });

/** Whose statements an adapter sends at the moment. */
export interface StoreAccess {
  store: SimulatedStore;
  client: StoreClient;
}

/**
 * The driver through which the ORM of a simulated process reaches the simulated store. As the driver for PostgreSQL it
 * repeats a statement that reads once when its connection was lost, and reports faults. Processes use it one after another.
 */
export class SimulatedAdapter implements SqlDriverAdapterFactory, SqlDriverAdapter {
  readonly provider = "sqlite";
  readonly adapterName = adapterName;
  /** Null: statements never settle. */
  access: StoreAccess | null = null;

  async connect(): Promise<SqlDriverAdapter> {
    return this;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, ({ database }) => database.driver.queryRaw(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, ({ database }) => database.driver.executeRaw(query));
  }

  executeScript(script: string): Promise<void> {
    return this.#perform(toQuery(script), ({ database }) => database.driver.executeScript(script));
  }

  async startTransaction(): Promise<Transaction> {
    const { access } = this;
    if (!access) return new Promise(() => {});
    const transaction: StoreTransaction = { client: access.client, isOver: false };
    await access.store.perform({
      client: access.client,
      transaction,
      boundary: "begin",
      execute: () => access.store.database.driver.executeRaw(toQuery("BEGIN IMMEDIATE")),
    });
    return new SimulatedTransaction(access, transaction);
  }

  async dispose(): Promise<void> {}

  async #perform<T>(query: SqlQuery, execute: (store: SimulatedStore) => Promise<T>): Promise<T> {
    const { access } = this;
    if (!access) return new Promise(() => {});
    const { store, client } = access;
    const perform = (): Promise<T> =>
      store.perform({ client, addsRows: isAdding(query), execute: () => execute(store) });
    if (isReading(query))
      return perform().catch((error: unknown) => {
        if (!isDatabaseError(error)) throw error;
        return perform();
      });
    const result = await perform();
    client.onStoreFault(null);
    return result;
  }
}

class SimulatedTransaction implements Transaction {
  readonly provider = "sqlite";
  readonly adapterName = adapterName;
  readonly options = { usePhantomQuery: true };
  #access: StoreAccess | null;

  constructor(
    access: StoreAccess,
    private readonly transaction: StoreTransaction,
  ) {
    this.#access = access;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, ({ database }) => database.driver.queryRaw(query));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, ({ database }) => database.driver.executeRaw(query));
  }

  async commit(): Promise<void> {
    const { client } = this.transaction;
    await this.#end("COMMIT");
    client.onStoreFault(null);
  }

  rollback(): Promise<void> {
    return this.#end("ROLLBACK");
  }

  #perform<T>(query: SqlQuery, execute: (store: SimulatedStore) => Promise<T>): Promise<T> {
    const access = this.#access;
    if (!access) return Promise.reject(new Error("the transaction is over"));
    const { transaction } = this;
    return access.store.perform({
      client: access.client,
      transaction,
      addsRows: isAdding(query),
      execute: () => execute(access.store),
    });
  }

  async #end(sql: "COMMIT" | "ROLLBACK"): Promise<void> {
    const access = this.#access;
    this.#access = null;
    const { transaction } = this;
    // The ORM forgets the transaction of a process that was killed.
    if (!access?.client.isAlive) return;
    if (sql === "ROLLBACK" && transaction.isOver) return;
    await access.store.perform({
      client: access.client,
      transaction,
      boundary: "end",
      execute: () => access.store.database.driver.executeRaw(toQuery(sql)),
    });
  }
}
