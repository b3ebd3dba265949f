import { PrismaPg } from "@prisma/adapter-pg";
import type {
  IsolationLevel,
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQuery,
  SqlResultSet,
  Transaction,
} from "@prisma/driver-adapter-utils";
import { isDatabaseError } from "./database-error";
import { retryConflicts, toPostgresError } from "./postgres-error";
import { createPool } from "./postgres-pool";
import { toStorableText } from "./postgres-text";
import type { FaultListener } from "./sqlite-adapter";

const adapterName = "swarmloom-postgresql";
const isReading = ({ sql }: SqlQuery): boolean => /^\s*SELECT\b/i.test(sql);

function withStorableTexts(query: SqlQuery): SqlQuery {
  const args = query.args.map((value) => (typeof value === "string" ? toStorableText(value) : value));
  return { ...query, args };
}

/**
 * The driver for PostgreSQL on a pool of connections. Faults of the server are thrown as `DatabaseError`, all other errors
 * as the driver's. A statement outside of a transaction is repeated when it conflicted with others, and one that reads
 * also when its connection was lost.
 */
export function createPostgresAdapter(url: string, onFault: FaultListener): SqlDriverAdapterFactory {
  const driver = new PrismaPg(createPool(url), { disposeExternalPool: true });
  return {
    provider: "postgres",
    adapterName,
    connect: async () => new PostgresConnection(await driver.connect(), onFault),
  };
}

class PostgresConnection implements SqlDriverAdapter {
  readonly provider = "postgres";
  readonly adapterName = adapterName;

  constructor(
    private readonly driver: SqlDriverAdapter,
    readonly onFault: FaultListener,
  ) {}

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, (storable) => this.driver.queryRaw(storable));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, (storable) => this.driver.executeRaw(storable));
  }

  executeScript(script: string): Promise<void> {
    return this.attempt(() => this.driver.executeScript(script));
  }

  async startTransaction(isolationLevel?: IsolationLevel): Promise<Transaction> {
    const transaction = await this.attempt(() => this.driver.startTransaction(isolationLevel));
    return new PostgresTransaction(this, transaction);
  }

  getConnectionInfo() {
    return this.driver.getConnectionInfo?.() ?? { supportsRelationJoins: true };
  }

  dispose(): Promise<void> {
    return this.driver.dispose();
  }

  /** Throws a fault of the database as `DatabaseError`. */
  async attempt<T>(statement: () => Promise<T>): Promise<T> {
    try {
      return await statement();
    } catch (error) {
      const fault = toPostgresError(error);
      if (!fault) throw error;
      this.onFault(fault);
      throw fault;
    }
  }

  async #perform<T>(query: SqlQuery, statement: (query: SqlQuery) => Promise<T>): Promise<T> {
    const storable = withStorableTexts(query);
    const perform = (): Promise<T> => retryConflicts(() => statement(storable));
    const repeatOnceLost = (error: unknown): Promise<T> => {
      if (isReading(query) && toPostgresError(error)?.fault === "unreachable") return perform();
      throw error;
    };
    const result = await this.attempt(() => perform().catch(repeatOnceLost));
    if (!isReading(query)) this.onFault(null);
    return result;
  }
}

/** Begins at once, and ends on the connection that it began on. */
class PostgresTransaction implements Transaction {
  readonly provider = "postgres";
  readonly adapterName = adapterName;
  #writes = false;
  #isReleased = false;

  constructor(
    private readonly connection: PostgresConnection,
    private readonly driver: Transaction,
  ) {}

  get options() {
    return this.driver.options;
  }

  queryRaw(query: SqlQuery): Promise<SqlResultSet> {
    return this.#perform(query, (storable) => this.driver.queryRaw(storable));
  }

  executeRaw(query: SqlQuery): Promise<number> {
    return this.#perform(query, (storable) => this.driver.executeRaw(storable));
  }

  async commit(): Promise<void> {
    await this.#release(() => this.driver.commit());
    if (this.#writes) this.connection.onFault(null);
  }

  rollback(): Promise<void> {
    return this.#release(() => this.driver.rollback());
  }

  async #perform<T>(query: SqlQuery, statement: (query: SqlQuery) => Promise<T>): Promise<T> {
    try {
      const result = await this.connection.attempt(() => statement(withStorableTexts(query)));
      this.#writes ||= /^\s*(?:INSERT|UPDATE|DELETE|WITH)\b/i.test(query.sql);
      return result;
    } catch (error) {
      // Nothing can be said on a lost connection any more, not even ROLLBACK: the pool replaces it.
      if (isDatabaseError(error) && error.fault === "unreachable") await this.#release(() => this.driver.rollback());
      throw error;
    }
  }

  /** The pool takes a connection back once. */
  async #release(release: () => Promise<void>): Promise<void> {
    if (this.#isReleased) return;
    this.#isReleased = true;
    await release();
  }
}
